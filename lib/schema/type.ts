import type { UnionTable } from './table.ts'

/**
 * Compiled types, which codecs, validation, apply, patches, OpenAPI and CEL walk over. Built-in kinds compile from api/
 * tables, custom resources from their structural schemas.
 */
export type Type = ScalarType | AnyType | ListType | MapType | StructType

export type ScalarName =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'Time'
  | 'MicroTime'
  | 'Duration'
  | 'Quantity'
  | 'IntOrString'

interface ScalarType {
  readonly is: 'scalar'
  readonly scalar: ScalarName
}

/** Any JSON value, kept as it is (RawExtension, FieldsV1, JSON, x-kubernetes-preserve-unknown-fields). */
interface AnyType {
  readonly is: 'any'
  /** `RawExtension` and `FieldsV1` are messages of one bytes field (1) in protobuf, and so is `JSON`. */
  readonly form: 'RawExtension' | 'FieldsV1' | 'JSON'
}

export interface ListType {
  readonly is: 'list'
  readonly element: Type
  readonly semantics: 'atomic' | 'set' | 'map'
  /** The table states the semantics; otherwise the default (atomic) applies. */
  readonly stated: boolean
  /** Key fields of a 'map' list. */
  readonly keys: readonly string[]
  /** In protobuf a message with one repeated field (1) encloses the list, so that it can be a map's value. */
  readonly wrapped: boolean
}

export interface MapType {
  readonly is: 'map'
  readonly element: Type
  readonly semantics: 'atomic' | 'granular'
  readonly stated: boolean
}

export interface StructType {
  readonly is: 'struct'
  /** `core/v1.Pod`; for a custom resource its group, version and kind, with a path for nested types. */
  readonly name: string
  /** In the order of JSON output; fields of inlined types are included, flattened, with `inlinedFrom` set. */
  readonly fields: readonly Field[]
  readonly byName: ReadonlyMap<string, Field>
  readonly semantics: 'granular' | 'atomic'
  /** A custom resource's struct may keep fields it does not know. */
  readonly preserveUnknown: boolean
  readonly doc: string
  readonly rules: readonly string[]
  readonly unions: readonly UnionTable[]
  /** The JSON form is not an object with these fields, but the value of one of them (see Wrapper). */
  readonly wrapper: 'schemaOrBool' | 'schemaOrList' | 'schemaOrStrings' | undefined
  /** Fields of the protobuf message by ascending number: its own, and one for each inlined message. */
  readonly message: readonly MessageField[]
  /** Narrowed: messages in lists that have none of the fields are left out. */
  readonly isLeftOutEmpty?: boolean
}

/** One field of a struct's protobuf message: a field, or a sub-message with the fields of an inlined type. */
export type MessageField =
  | { readonly number: number; readonly field: Field; readonly inlined?: undefined }
  | { readonly number: number; readonly field?: undefined; readonly inlined: StructType }

export interface Field {
  /** JSON name. */
  readonly name: string
  /** Protobuf number; 0: none. */
  readonly number: number
  readonly type: Type
  /** Absent and zero differ. */
  readonly pointer: boolean
  readonly omit: 'empty' | 'zero' | 'never'
  /** Decoding distinguishes an empty list from an absent one. */
  readonly emptyDiffers: boolean
  readonly required: boolean
  readonly default: unknown
  readonly doc: string
  /** How a struct in this field is owned, if that differs from its type. */
  readonly structSemantics?: 'granular' | 'atomic'
  readonly patchStrategy: string
  readonly patchMergeKey: string
  readonly alias: string
  readonly enum: readonly string[] | undefined
  readonly itemEnum: readonly string[] | undefined
  readonly format: string
  readonly itemFormat: string
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly maxItems: number | undefined
  readonly maxLength: number | undefined
  readonly maxBytes: number | undefined
  readonly gates: readonly string[]
  readonly rules: readonly string[]
  readonly deprecated: boolean
  /** Set when the field comes from an inlined type: the type, and its protobuf number in the parent (0: it has none). */
  readonly inlinedFrom?: { readonly type: StructType; readonly number: number }
}
