// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as authorizationK8sIoV1 from '../authorization.k8s.io/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
/** Asks whether a user may carry out an action in one namespace. */
export type LocalSubjectAccessReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The user and the action; its namespace must be that of the review. */
  spec: SubjectAccessReviewSpec
  /** The answer. */
  status: SubjectAccessReviewStatus
}

/** A request as authorizers get it, by method and path. */
export type NonResourceAttributes = {
  /** Path of the request. */
  path?: string
  /** Method of the request, in lower case. */
  verb?: string
}

/** Permission for some verbs on some paths. */
export type NonResourceRule = {
  /** Verbs that are allowed; * is all of them. */
  verbs?: string[]
  /** Paths; a trailing * matches any rest. */
  nonResourceURLs?: string[]
}

/** A request as authorizers get it, by verb, resource and name. */
export type ResourceAttributes = {
  /** Namespace of the object; "" means all, or none for cluster-wide resources. */
  namespace?: string
  /** Verb, such as get, list, watch, create, update, patch or delete; * is all of them. */
  verb?: string
  /** API group of the resource; * is all of them. */
  group?: string
  /** Version of the resource; * is all of them. */
  version?: string
  /** Plural name of the resource; * is all of them. */
  resource?: string
  /** Subresource; "" is none. */
  subresource?: string
  /** Name of the object; "" means all. */
  name?: string
  /** Field selector of the request, which may narrow it. */
  fieldSelector?: authorizationK8sIoV1.FieldSelectorAttributes
  /** Label selector of the request, which may narrow it. */
  labelSelector?: authorizationK8sIoV1.LabelSelectorAttributes
}

/** Permission for some verbs on some resources. */
export type ResourceRule = {
  /** Verbs that are allowed; * is all of them. */
  verbs?: string[]
  /** API groups of the resources; * is all of them. */
  apiGroups?: string[]
  /** Resources, or resource/subresource; * is all of them. */
  resources?: string[]
  /** Names of the objects; empty allows any name. */
  resourceNames?: string[]
}

/** Asks whether the caller may carry out an action. */
export type SelfSubjectAccessReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The action; the user is the caller. */
  spec: SelfSubjectAccessReviewSpec
  /** The answer. */
  status: SubjectAccessReviewStatus
}

/** An action; exactly one of the fields is set. */
export type SelfSubjectAccessReviewSpec = {
  /** A request for a resource. */
  resourceAttributes?: ResourceAttributes
  /** A request for another path. */
  nonResourceAttributes?: NonResourceAttributes
}

/** Asks which actions the caller may carry out in a namespace; for display, not for decisions. */
export type SelfSubjectRulesReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The namespace. */
  spec: SelfSubjectRulesReviewSpec
  /** The answer; it may be incomplete. */
  status: SubjectRulesReviewStatus
}

/** The namespace of the question. */
export type SelfSubjectRulesReviewSpec = {
  /** The namespace. Required. */
  namespace?: string
}

/** Asks whether a user may carry out an action. */
export type SubjectAccessReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The user and the action. */
  spec: SubjectAccessReviewSpec
  /** The answer. */
  status: SubjectAccessReviewStatus
}

/** A user and an action; exactly one of the two attributes is set. */
export type SubjectAccessReviewSpec = {
  /** A request for a resource. */
  resourceAttributes?: ResourceAttributes
  /** A request for another path. */
  nonResourceAttributes?: NonResourceAttributes
  /** Name of the user; user or groups must be set. */
  user?: string
  /** Groups of the user. */
  group?: string[]
  /** Further attributes of the user. */
  extra?: Record<string, string[]>
  /** UID of the user. */
  uid?: string
}

/** Whether an action is allowed. */
export type SubjectAccessReviewStatus = {
  /** True when it is allowed. */
  allowed: boolean
  /** True when it is denied explicitly; false together with allowed false means that no authorizer had an opinion. */
  denied?: boolean
  /** Why it is allowed or denied. */
  reason?: string
  /** Errors during the check; the decision can be valid all the same. */
  evaluationError?: string
}

/** The actions that a user may carry out. */
export type SubjectRulesReviewStatus = {
  /** Permissions for resources; their order has no meaning and they may overlap. */
  resourceRules?: ResourceRule[]
  /** Permissions for other paths. */
  nonResourceRules?: NonResourceRule[]
  /** True when the rules are incomplete, such as when an authorizer cannot list them. */
  incomplete: boolean
  /** Errors during the check. */
  evaluationError?: string
}
