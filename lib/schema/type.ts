import type { Wrapper } from './table.ts'

/**
 * Compiled types: what codecs, validation, apply, patches, OpenAPI and CEL walk over. Built-in kinds compile from api/
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

export interface ScalarType {
  readonly is: 'scalar'
  readonly scalar: ScalarName
}

/** Any JSON value, kept as it is (RawExtension, FieldsV1, JSON, x-kubernetes-preserve-unknown-fields). */
export interface AnyType {
  readonly is: 'any'
  /** `RawExtension` and `FieldsV1` are messages of one bytes field (1) in protobuf, and so is `JSON`. */
  readonly form: 'RawExtension' | 'FieldsV1' | 'JSON'
}

export interface ListType {
  readonly is: 'list'
  readonly element: Type
  readonly semantics: 'atomic' | 'set' | 'map'
  /** Key fields of a 'map' list. */
  readonly keys: readonly string[]
}

export interface MapType {
  readonly is: 'map'
  readonly element: Type
  readonly semantics: 'atomic' | 'granular'
}

export interface StructType {
  readonly is: 'struct'
  /** `core/v1.Pod`; for a custom resource its group, version and kind, with a path for nested types. */
  readonly name: string
  /** In the order of JSON output; fields of inlined types stand here too, flattened, with `inlinedFrom` set. */
  readonly fields: readonly Field[]
  readonly byName: ReadonlyMap<string, Field>
  readonly semantics: 'granular' | 'atomic'
  /** A custom resource's struct may keep fields it does not know. */
  readonly preserveUnknown: boolean
  readonly doc: string
  readonly rules: readonly string[]
  /** How the JSON form differs from a struct (see Wrapper). */
  readonly wrapper?: Wrapper
  /** Fields of the protobuf message: those of `fields` that it has itself, and one for each inlined message. */
  readonly message: readonly MessageField[]
}

/** One field of the protobuf message of a struct: a field, or a sub-message holding the fields of an inlined type. */
export type MessageField =
  | { readonly number: number; readonly field: Field }
  | { readonly number: number; readonly inlined: StructType }

export interface Field {
  /** JSON name. */
  readonly name: string
  /** Protobuf number; 0: none. */
  readonly number: number
  readonly type: Type
  /** Absent and zero differ. */
  readonly pointer: boolean
  readonly omit: 'empty' | 'zero' | 'never'
  readonly required: boolean
  readonly default: unknown
  readonly doc: string
  readonly patchStrategy: string
  readonly patchMergeKey: string
  readonly enum: readonly string[] | undefined
  readonly itemEnum: readonly string[] | undefined
  readonly format: string
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly maxItems: number | undefined
  readonly maxLength: number | undefined
  readonly maxBytes: number | undefined
  readonly gates: readonly string[]
  readonly rules: readonly string[]
  readonly deprecated: boolean
  /** Set when the field comes from an inlined type: that type and its protobuf number in the parent (0: shares the parent's message). */
  readonly inlinedFrom?: { readonly type: StructType; readonly number: number }
}
