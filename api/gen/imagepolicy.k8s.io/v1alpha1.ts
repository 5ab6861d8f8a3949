// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** Asks whether the images of a pod are allowed. */
export type ImageReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
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
  /** Annotations of the pod for the reviewing server: those with *.image-policy.k8s.io/*. */
  annotations?: Record<string, string>
  /** Namespace of the pod. */
  namespace?: string
}

/** Whether images are allowed. */
export type ImageReviewStatus = {
  /** True when all are allowed. */
  allowed: boolean
  /** Reason of a refusal. */
  reason?: string
  /** Annotations for the audit event; the name of the plugin becomes the prefix of the keys. */
  auditAnnotations?: Record<string, string>
}
