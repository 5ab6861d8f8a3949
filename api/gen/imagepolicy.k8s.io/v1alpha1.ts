// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type ImageReview = {
  kind: string
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
