// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** A lock that a holder keeps as long as it renews it. */
export type Lease = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The holder, and until when it holds. */
  spec: LeaseSpec
}

/** A list of Lease objects. */
export type LeaseList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Lease[]
}

/** The holder renews it; others may take it when the duration has passed since. */
export type LeaseSpec = {
  /** The present holder; empty when there is none. */
  holderIdentity?: string
  /** Seconds after renewTime that others must wait before they take it. */
  leaseDurationSeconds?: number
  /** When the present holder took it. */
  acquireTime?: string
  /** When the present holder last renewed it. */
  renewTime?: string
  /** How often the holder changed. */
  leaseTransitions?: number
  /** How the holder is chosen, in coordinated elections. */
  strategy?: string
  /** The holder should release the lease for this one. Needs strategy. */
  preferredHolder?: string
}
