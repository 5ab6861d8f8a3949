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

/** Asks who the caller is. */
export type SelfSubjectReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The answer. */
  status: SelfSubjectReviewStatus
}

/** Who the caller is. */
export type SelfSubjectReviewStatus = {
  /** Name, groups and further attributes of the caller. */
  userInfo: UserInfo
}

/** Asks for a token of a service account. */
export type TokenRequest = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** What the token is for. */
  spec: TokenRequestSpec
  /** The token. */
  status: TokenRequestStatus
}

/** The server may give a shorter or longer validity than is asked for. */
export type TokenRequestSpec = {
  /** Who the token is for; those who read it must check. Defaults to the API server. */
  audiences?: string[]
  /** Seconds that the token should be valid, at least 600. Defaults to 3600; the server may give other. */
  expirationSeconds?: number
  /** Object that the token is bound to; without it the token is invalid. */
  boundObjectRef?: BoundObjectReference
}

/** Kept nowhere: only this answer has it. */
export type TokenRequestStatus = {
  /** The token. */
  token: string
  /** When the token ceases to be valid. */
  expirationTimestamp?: string
}

/** Asks whether a token is valid and whose it is. */
export type TokenReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The token. */
  spec: TokenReviewSpec
  /** The answer. */
  status: TokenReviewStatus
}

/** A token to look at. */
export type TokenReviewSpec = {
  /** The token. */
  token?: string
  /** Names that the asker goes by, one of which the token must be for. Defaults to the API server. */
  audiences?: string[]
}

/** Whose a token is. */
export type TokenReviewStatus = {
  /** True when the token is valid. */
  authenticated?: boolean
  /** The user that the token stands for. */
  user: UserInfo
  /** Names of the asker that the token is for; empty means that audiences were not looked at. */
  audiences?: string[]
  /** Why the token could not be checked. */
  error?: string
}

/** A user, as authentication found it. */
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
