// schema: the structure of every type: the tables of api/, compiled to the types that codecs, validation, apply,
// patches, OpenAPI and CEL walk over. Built-in kinds and custom resources compile to the same form. Knows no kind by
// name.
export { narrowedTo } from './narrowed.ts'
export { compileTables, type SchemaSet, tablePrefix } from './schemaset.ts'
export {
  compareVersions,
  createServedGroups,
  type PublishedSchema,
  type ServedGroup,
  type ServedGroups,
  type ServedResource,
  type ServedVersion,
} from './served.ts'
export type { FieldTable, GroupVersionTable, ResourceTable, SubresourceTable, TypeTable } from './table.ts'
export type { Field, ListType, MapType, ScalarName, StructType, Type } from './type.ts'
