// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** Rewrites every object of a resource so that all are stored in the present version. */
export type StorageVersionMigration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The resource to migrate. */
  spec: StorageVersionMigrationSpec
  /** State of the migration. */
  status: StorageVersionMigrationStatus
}

/** A list of StorageVersionMigration objects. */
export type StorageVersionMigrationList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: StorageVersionMigration[]
}

/** One resource a migration. */
export type StorageVersionMigrationSpec = {
  /** The resource. Cannot be changed. */
  resource: metaV1.GroupResource
}

/** Written by the controller that rewrites the objects. */
export type StorageVersionMigrationStatus = {
  /** Present state of the migration: Running, Succeeded or Failed. */
  conditions?: metaV1.Condition[]
  /** Version of the store at the start; the caches must have reached it before objects are rewritten. */
  resourceVersion?: string
}
