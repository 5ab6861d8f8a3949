// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** A candidate for a lease in a coordinated election. */
export type LeaseCandidate = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The lease, and the candidate's versions. */
  spec: LeaseCandidateSpec
}

/** A list of LeaseCandidate objects. */
export type LeaseCandidateList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
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
  /** When the election last pinged the candidate; it answers by renewing. */
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
