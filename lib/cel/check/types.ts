import { unescapeName } from '../syntax/escape.ts'

/** Types of expressions. Sizes are bounds for the cost estimate and not part of a type's identity. */
export type CelType = SimpleType | ListCelType | MapCelType | ObjectType | OpaqueType | TypeType | ParamType

type SimpleKind =
  | 'int'
  | 'uint'
  | 'double'
  | 'bool'
  | 'string'
  | 'bytes'
  | 'null_type'
  | 'timestamp'
  | 'duration'
  | 'dyn'
  | 'error'

interface SimpleType {
  readonly kind: SimpleKind
  /** Maximum number of characters or bytes of a value, where known. */
  readonly sizeMax?: number
  /** Fewest bytes of a value in JSON. */
  readonly jsonBytesMin?: number
  /** With kind timestamp: the data has a day without a time. */
  readonly isDay?: boolean
}

/** Properties of a list type besides the type of its elements. */
export interface ListTraits {
  readonly sizeMax?: number | undefined
  /** Equality and sums of the list: as a set, or as a map with these key fields. Absent: a plain list. */
  readonly associative?: 'set' | readonly string[] | undefined
}

interface ListCelType extends ListTraits {
  readonly kind: 'list'
  readonly element: CelType
}

interface MapCelType {
  readonly kind: 'map'
  readonly key: CelType
  readonly value: CelType
  readonly sizeMax?: number
}

export interface ObjectField {
  /** The field's name in data; its CEL name (escaped) is its key in the type. */
  readonly name: string
  readonly type: CelType
}

/** A struct by its name. Fields are created on first use, so that types may contain themselves. */
export class ObjectType {
  readonly kind = 'object'
  readonly name: string
  /** May an expression make one (`Name{…}`)? */
  readonly constructible: boolean
  #fields: ReadonlyMap<string, ObjectField> | undefined
  readonly #load: () => ReadonlyMap<string, ObjectField>
  readonly #isOpen: boolean
  readonly jsonBytesMin: number

  constructor(
    name: string,
    load: () => ReadonlyMap<string, ObjectField>,
    options: { constructible?: boolean; jsonBytesMin?: number; open?: boolean } = {},
  ) {
    this.#isOpen = options.open ?? false
    this.name = name
    this.#load = load
    this.constructible = options.constructible ?? false
    this.jsonBytesMin = options.jsonBytesMin ?? 2
  }

  /** By CEL name. */
  get fields(): ReadonlyMap<string, ObjectField> {
    this.#fields ??= this.#load()
    return this.#fields
  }

  /** An open type has every field, of any type. */
  field(name: string): ObjectField | undefined {
    const declared = this.fields.get(name)
    if (declared || !this.#isOpen) return declared
    return { name: unescapeName(name) ?? name, type: types.dyn }
  }
}

/** A library's own type, possibly with type parameters (`optional_type(int)`). */
export interface OpaqueType {
  readonly kind: 'opaque'
  readonly name: string
  readonly parameters: readonly CelType[]
}

interface TypeType {
  readonly kind: 'type'
  readonly of: CelType | undefined
}

/** A type parameter of a declaration (`T`), or a variable the checker solves for. */
export interface ParamType {
  readonly kind: 'param'
  readonly name: string
}

const simple = (kind: SimpleKind, jsonBytesMin?: number): SimpleType =>
  Object.freeze(jsonBytesMin === undefined ? { kind } : { kind, jsonBytesMin })

/** The types without parts, and functions that create types with parts. */
export const types = Object.freeze({
  int: simple('int', 1),
  uint: simple('uint', 1),
  double: simple('double', 1),
  bool: simple('bool', 4),
  string: simple('string', 2),
  bytes: simple('bytes', 2),
  null: simple('null_type', 4),
  timestamp: simple('timestamp', 21),
  duration: simple('duration', 3),
  dyn: simple('dyn', 1),
  error: simple('error'),
  type: Object.freeze({ kind: 'type', of: undefined } as TypeType),
  list: (element: CelType, sizeMax?: number, associative?: ListTraits['associative']): ListCelType => ({
    kind: 'list',
    element,
    ...(sizeMax !== undefined && { sizeMax }),
    ...(associative !== undefined && { associative }),
  }),
  map: (key: CelType, value: CelType, sizeMax?: number): MapCelType =>
    sizeMax === undefined ? { kind: 'map', key, value } : { kind: 'map', key, value, sizeMax },
  optional: (value: CelType): OpaqueType => ({ kind: 'opaque', name: 'optional_type', parameters: [value] }),
  opaque: (name: string): OpaqueType => ({ kind: 'opaque', name, parameters: [] }),
  typeOf: (of: CelType): TypeType => ({ kind: 'type', of }),
  param: (name: string): ParamType => ({ kind: 'param', name }),
})

/** The type `T` of `optional_type(T)`; undefined for every other type. */
export function optionalContent(type: CelType): CelType | undefined {
  return type.kind === 'opaque' && type.name === 'optional_type' ? (type.parameters[0] ?? types.dyn) : undefined
}

const formatDepthMax = 12

/**
 * A type in the form of error messages: `map(string, list(int))`. Types nested deeper than any real type show as `…`.
 */
export function formatType(type: CelType, depth = 0): string {
  if (depth > formatDepthMax) return '…'
  const inner = (part: CelType): string => formatType(part, depth + 1)
  switch (type.kind) {
    case 'list':
      return `list(${inner(type.element)})`
    case 'map':
      return `map(${inner(type.key)}, ${inner(type.value)})`
    case 'object':
    case 'param':
      return type.name
    case 'opaque':
      return type.parameters.length === 0 ? type.name : `${type.name}(${type.parameters.map(inner).join(', ')})`
    case 'type':
      return type.of === undefined ? 'type' : `type(${inner(type.of)})`
    case 'null_type':
      return 'null'
    case 'error':
      return '!error!'
    default:
      return type.kind
  }
}

/** The name of a type as a value, without parameters (`list`, `google.protobuf.Timestamp`). */
export function runtimeTypeName(type: CelType): string {
  switch (type.kind) {
    case 'timestamp':
      return 'google.protobuf.Timestamp'
    case 'duration':
      return 'google.protobuf.Duration'
    case 'object':
    case 'opaque':
    case 'param':
      return type.name
    default:
      return type.kind
  }
}

/** The name of an expected type: with runtime names and all parameters. */
export function typeText(type: CelType, depth = 0): string {
  if (depth > formatDepthMax) return '…'
  const inner = (part: CelType): string => typeText(part, depth + 1)
  if (type.kind === 'list') return `list(${inner(type.element)})`
  if (type.kind === 'map') return `map(${inner(type.key)}, ${inner(type.value)})`
  if (type.kind === 'type') return type.of === undefined ? 'type' : `type(${inner(type.of)})`
  if (type.kind !== 'opaque' || type.parameters.length === 0) return runtimeTypeName(type)
  return `${type.name}(${type.parameters.map(inner).join(', ')})`
}
