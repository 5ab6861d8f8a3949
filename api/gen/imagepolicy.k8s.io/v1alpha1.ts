// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type ImageReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: ImageReviewSpec
  status: ImageReviewStatus
}

export type ImageReviewContainerSpec = {
  image?: string
}

export type ImageReviewSpec = {
  containers?: ImageReviewContainerSpec[]
  annotations?: Record<string, string>
  namespace?: string
}

export type ImageReviewStatus = {
  allowed: boolean
  reason?: string
  auditAnnotations?: Record<string, string>
}
