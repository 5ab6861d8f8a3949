// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** A token can be bound to a pod, a secret or a node. */
export type BoundObjectReference = {
  /** Pod, Secret or Node. */
  kind?: string
  /** Group version of the object. */
  apiVersion?: string
  /** Name of the object. */
  name?: string
  /** UID of the object. */
  uid?: string
}

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
  userInfo: UserInfo
}

/** Requests a token for a service account. */
export type TokenRequest = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Properties of the token. */
  spec: TokenRequestSpec
  /** The token. */
  status: TokenRequestStatus
}

/** The server may choose a shorter or longer validity than requested. */
export type TokenRequestSpec = {
  /** Audiences of the token; recipients must check them. Defaults to the API server. */
  audiences?: string[]
  /** Seconds of validity, at least 600. Defaults to 3600; the server may choose another value. */
  expirationSeconds?: number
  /** Object that the token is bound to; when it is deleted, the token is invalid. */
  boundObjectRef?: BoundObjectReference
}

/** Not stored: only this answer has it. */
export type TokenRequestStatus = {
  /** The token. */
  token: string
  /** When the token expires. */
  expirationTimestamp?: string
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
