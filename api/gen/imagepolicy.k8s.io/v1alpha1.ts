// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** Asks whether the images of a pod may be run. */
export type ImageReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The images. */
  spec: ImageReviewSpec
  /** The answer. */
  status: ImageReviewStatus
}

/** A container of the pod. */
export type ImageReviewContainerSpec = {
  /** Image of the container. */
  image?: string
}

/** All containers of the pod, in one review. */
export type ImageReviewSpec = {
  /** The containers, of all kinds. */
  containers?: ImageReviewContainerSpec[]
  /** Annotations of the pod that are for the judge: those with *.image-policy.k8s.io/*. */
  annotations?: Record<string, string>
  /** Namespace of the pod. */
  namespace?: string
}

/** Whether images may be run. */
export type ImageReviewStatus = {
  /** True when all may. */
  allowed: boolean
  /** Why not. */
  reason?: string
  /** Annotations for the audit event; the name of the plugin is put before the keys. */
  auditAnnotations?: Record<string, string>
}
