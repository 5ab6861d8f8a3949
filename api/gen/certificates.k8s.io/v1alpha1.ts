// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** Certificates of trust anchors, for pods to mount. */
export type ClusterTrustBundle = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The certificates. */
  spec: ClusterTrustBundleSpec
}

/** A list of ClusterTrustBundle objects. */
export type ClusterTrustBundleList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ClusterTrustBundle[]
}

/** Certificates of trust anchors. */
export type ClusterTrustBundleSpec = {
  /** Signer that the anchors are for; the object's name then begins with it. Cannot be changed. */
  signerName?: string
  /** The certificates, in PEM; their order has no meaning. */
  trustBundle: string
}
