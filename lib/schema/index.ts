// schema: the shape of every type: tables as api/ states them, compiled to the types that codecs, validation, apply,
// patches, OpenAPI and CEL walk over. Built-in kinds and custom resources compile to the same form. Knows no kind by name.
export type { FieldTable, GroupVersionTable, ResourceTable, SubresourceTable, TypeTable } from './table.ts'
export type { AnyType, Field, ListType, MapType, ScalarName, ScalarType, StructType, Type } from './type.ts'
