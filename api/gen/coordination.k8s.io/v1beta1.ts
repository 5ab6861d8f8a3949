// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type Lease = {
  kind: string
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: LeaseSpec
}

export type LeaseCandidate = {
  kind: string
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: LeaseCandidateSpec
}

export type LeaseCandidateList = {
  kind: string
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: LeaseCandidate[]
}

export type LeaseCandidateSpec = {
  leaseName: string
  pingTime?: string
  renewTime?: string
  binaryVersion: string
  emulationVersion?: string
  strategy?: string
}

export type LeaseList = {
  kind: string
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: Lease[]
}

export type LeaseSpec = {
  holderIdentity?: string
  leaseDurationSeconds?: number
  acquireTime?: string
  renewTime?: string
  leaseTransitions?: number
  strategy?: string
  preferredHolder?: string
}
