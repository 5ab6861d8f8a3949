// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as authorizationK8sIoV1 from '../authorization.k8s.io/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
export type LocalSubjectAccessReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: SubjectAccessReviewSpec
  status: SubjectAccessReviewStatus
}

export type NonResourceAttributes = {
  path?: string
  verb?: string
}

export type NonResourceRule = {
  verbs?: string[]
  nonResourceURLs?: string[]
}

export type ResourceAttributes = {
  namespace?: string
  verb?: string
  group?: string
  version?: string
  resource?: string
  subresource?: string
  name?: string
  fieldSelector?: authorizationK8sIoV1.FieldSelectorAttributes
  labelSelector?: authorizationK8sIoV1.LabelSelectorAttributes
}

export type ResourceRule = {
  verbs?: string[]
  apiGroups?: string[]
  resources?: string[]
  resourceNames?: string[]
}

export type SelfSubjectAccessReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: SelfSubjectAccessReviewSpec
  status: SubjectAccessReviewStatus
}

export type SelfSubjectAccessReviewSpec = {
  resourceAttributes?: ResourceAttributes
  nonResourceAttributes?: NonResourceAttributes
}

export type SelfSubjectRulesReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: SelfSubjectRulesReviewSpec
  status: SubjectRulesReviewStatus
}

export type SelfSubjectRulesReviewSpec = {
  namespace?: string
}

export type SubjectAccessReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: SubjectAccessReviewSpec
  status: SubjectAccessReviewStatus
}

export type SubjectAccessReviewSpec = {
  resourceAttributes?: ResourceAttributes
  nonResourceAttributes?: NonResourceAttributes
  user?: string
  group?: string[]
  extra?: Record<string, string[]>
  uid?: string
}

export type SubjectAccessReviewStatus = {
  allowed: boolean
  denied?: boolean
  reason?: string
  evaluationError?: string
}

export type SubjectRulesReviewStatus = {
  resourceRules?: ResourceRule[]
  nonResourceRules?: NonResourceRule[]
  incomplete: boolean
  evaluationError?: string
}
