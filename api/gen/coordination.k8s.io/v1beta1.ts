// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** A lock that someone holds as long as it is renewed. */
export type Lease = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Who holds it and until when. */
  spec: LeaseSpec
}

/** Someone who stands for a lease in a coordinated election. */
export type LeaseCandidate = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** For which lease, and with what. */
  spec: LeaseCandidateSpec
}

/** A list of LeaseCandidate objects. */
export type LeaseCandidateList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: LeaseCandidate[]
}

/** A candidacy. */
export type LeaseCandidateSpec = {
  /** Name of the lease. Cannot be changed. */
  leaseName: string
  /** When the election last asked whether the candidate is there; it answers by renewing. */
  pingTime?: string
  /** When the candidate last renewed its candidacy. */
  renewTime?: string
  /** Version of the candidate's program. */
  binaryVersion: string
  /** Version that the candidate behaves as; at most binaryVersion. */
  emulationVersion?: string
  /** How the candidate wants the holder to be chosen. */
  strategy?: string
}

/** A list of Lease objects. */
export type LeaseList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Lease[]
}

/** The holder renews it; others may take it once the duration has passed since. */
export type LeaseSpec = {
  /** Who holds it; empty when nobody does. */
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
  /** Who should take it over; the holder then gives way. Needs strategy. */
  preferredHolder?: string
}
