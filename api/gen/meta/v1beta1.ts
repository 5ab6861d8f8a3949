// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** A list of objects reduced to their metadata. */
export type PartialObjectMetadataList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** The objects. */
  items?: metaV1.PartialObjectMetadata[]
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
}
