// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type BoundObjectReference = {
  kind?: string
  apiVersion?: string
  name?: string
  uid?: string
}

export type SelfSubjectReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  status: SelfSubjectReviewStatus
}

export type SelfSubjectReviewStatus = {
  userInfo: UserInfo
}

export type TokenRequest = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: TokenRequestSpec
  status: TokenRequestStatus
}

export type TokenRequestSpec = {
  audiences?: string[]
  expirationSeconds?: number
  boundObjectRef?: BoundObjectReference
}

export type TokenRequestStatus = {
  token: string
  expirationTimestamp?: string
}

export type TokenReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: TokenReviewSpec
  status: TokenReviewStatus
}

export type TokenReviewSpec = {
  token?: string
  audiences?: string[]
}

export type TokenReviewStatus = {
  authenticated?: boolean
  user: UserInfo
  audiences?: string[]
  error?: string
}

export type UserInfo = {
  username?: string
  uid?: string
  groups?: string[]
  extra?: Record<string, string[]>
}
