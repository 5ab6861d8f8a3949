// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** Versions of a resource that one server knows. */
export type ServerStorageVersion = {
  /** Identifier of the server. */
  apiServerID?: string
  /** Version that it stores objects in. */
  encodingVersion?: string
  /** Versions that it can read from the store. */
  decodableVersions?: string[]
  /** Versions that it serves. */
  servedVersions?: string[]
}

/** Versions of a resource over all servers; its name is <group>.<resource>. */
export type StorageVersion = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Empty: everything is in the status. */
  spec: StorageVersionSpec
  /** What the servers report. */
  status: StorageVersionStatus
}

/** One aspect of a storage version, such as AllEncodingVersionsEqual. */
export type StorageVersionCondition = {
  /** Kind of the condition, in CamelCase; at most one condition of each type. */
  type: string
  /** Whether the condition holds: True, False or Unknown. */
  status: string
  /** Generation of the object that the condition was derived from. */
  observedGeneration?: number
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string
  /** Machine-readable cause of the last change, in CamelCase. */
  reason: string
  /** Details of the last change, for people. */
  message?: string
}

/** A list of StorageVersion objects. */
export type StorageVersionList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: StorageVersion[]
}

/** It has no fields. */
export type StorageVersionSpec = {}

/** Each server reports for itself; the rest is derived from that. */
export type StorageVersionStatus = {
  /** One entry a server. */
  storageVersions?: ServerStorageVersion[]
  /** The version that all servers store objects in; unset when they differ. */
  commonEncodingVersion?: string
  /** Aspects of the state over all servers. */
  conditions?: StorageVersionCondition[]
}
