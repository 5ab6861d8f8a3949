// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type StorageVersionMigration = {
  kind: string
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: StorageVersionMigrationSpec
  status: StorageVersionMigrationStatus
}

export type StorageVersionMigrationList = {
  kind: string
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: StorageVersionMigration[]
}

export type StorageVersionMigrationSpec = {
  resource: metaV1.GroupResource
}

export type StorageVersionMigrationStatus = {
  conditions?: metaV1.Condition[]
  resourceVersion?: string
}
