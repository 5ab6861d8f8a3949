// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as authenticationK8sIoV1 from '../authentication.k8s.io/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
/** Requests the caller's identity. */
export type SelfSubjectReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The answer. */
  status: SelfSubjectReviewStatus
}

/** The caller's identity. */
export type SelfSubjectReviewStatus = {
  /** Name, groups and further attributes of the caller. */
  userInfo: authenticationK8sIoV1.UserInfo
}

/** Asks whether a token is valid, and which user it identifies. */
export type TokenReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The token. */
  spec: TokenReviewSpec
  /** The answer. */
  status: TokenReviewStatus
}

/** The token to check. */
export type TokenReviewSpec = {
  /** The token. */
  token?: string
  /** Audiences of the asking server; the token must be for one. Defaults to the API server. */
  audiences?: string[]
}

/** The user of a token. */
export type TokenReviewStatus = {
  /** True when the token is valid. */
  authenticated?: boolean
  /** The user that the token identifies. */
  user: UserInfo
  /** Audiences of the asking server that the token is for; empty means that audiences were not checked. */
  audiences?: string[]
  /** Why the token could not be checked. */
  error?: string
}

/** A user, as authentication identified it. */
export type UserInfo = {
  /** Name of the user, unique among active users. */
  username?: string
  /** Identifier of the user, which no later user of the name shares. */
  uid?: string
  /** Groups that the user is in. */
  groups?: string[]
  /** Further attributes that the authenticator gave. */
  extra?: Record<string, string[]>
}
