// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type ServerStorageVersion = {
  apiServerID?: string
  encodingVersion?: string
  decodableVersions?: string[]
  servedVersions?: string[]
}

export type StorageVersion = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: StorageVersionSpec
  status: StorageVersionStatus
}

export type StorageVersionCondition = {
  type: string
  status: string
  observedGeneration?: number
  lastTransitionTime?: string
  reason: string
  message?: string
}

export type StorageVersionList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: StorageVersion[]
}

export type StorageVersionSpec = {}

export type StorageVersionStatus = {
  storageVersions?: ServerStorageVersion[]
  commonEncodingVersion?: string
  conditions?: StorageVersionCondition[]
}
