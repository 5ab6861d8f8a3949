// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type PartialObjectMetadataList = {
  kind: string
  apiVersion: string
  items?: metaV1.PartialObjectMetadata[]
  metadata: metaV1.ListMeta
}
