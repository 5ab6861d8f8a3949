import type { Field, StructType, Type } from '../../schema/index.ts'
import { escapeName } from '../syntax/escape.ts'
import { type CelType, type ObjectField, ObjectType, types } from './types.ts'

/** Bytes of the largest request: the bound of data without a bound in its schema. */
const requestBytesMax = 3 * 1024 * 1024
const textMax = requestBytesMax - 2
/** Characters of the longest timestamp or duration, with quotes. */
const timeMax = 32

/** Object keys have no bound; the stock server counts them as nothing. */
const keyType: CelType = { kind: 'string', sizeMax: 0 }

/** The bounds that a field sets for its values, in addition to their type. */
type Bounds = Partial<
  Pick<Field, 'format' | 'itemFormat' | 'enum' | 'itemEnum' | 'maxItems' | 'maxLength' | 'maxBytes'>
>

/** The bounds of texts. */
interface TextBounds {
  readonly format?: string | undefined
  readonly enum?: readonly string[] | undefined
  readonly maxLength?: number | undefined
}

function itemBounds(bounds: Bounds): Bounds {
  return { format: bounds.itemFormat ?? '', enum: bounds.itemEnum }
}

/**
 * Types of expressions over data of compiled schemas. One instance for each place that compiles expressions; each
 * struct becomes one object type.
 */
export class SchemaTypes {
  readonly #known = new Map<StructType, ObjectType>()

  /** Struct fields by their escaped names, without fields that have no possible name or no known type. */
  ofStruct(struct: StructType): ObjectType {
    const known = this.#known.get(struct)
    if (known) return known
    const load = (): ReadonlyMap<string, ObjectField> => this.#fields(struct)
    const type = new ObjectType(struct.name, load, { jsonBytesMin: jsonBytesMin(struct, 0) })
    this.#known.set(struct, type)
    return type
  }

  /** The CEL type of any schema type; `bounds` are those of its field. */
  ofType(type: Type, bounds?: Bounds): CelType {
    switch (type.is) {
      case 'any':
        return types.dyn
      case 'list': {
        const items =
          bounds?.itemFormat === undefined && bounds?.itemEnum === undefined ? undefined : itemBounds(bounds)
        const element = this.ofType(type.element, items)
        return types.list(element, bounds?.maxItems ?? Math.floor(textMax / (jsonBytesMin(type.element, 0) + 1)))
      }
      case 'map': {
        const value = this.ofType(type.element)
        return types.map(keyType, value, Math.floor(textMax / (jsonBytesMin(type.element, 0) + 6)))
      }
      case 'struct':
        return type.wrapper === undefined ? this.ofStruct(type) : types.dyn
      case 'scalar':
        return scalarType(type.scalar, bounds)
    }
  }

  #fields(struct: StructType): ReadonlyMap<string, ObjectField> {
    const fields = new Map<string, ObjectField>()
    for (const field of struct.fields) {
      const name = escapeName(field.name)
      if (name !== undefined) fields.set(name, { name: field.name, type: this.ofType(field.type, field) })
    }
    return fields
  }
}

function scalarType(scalar: string, field: Bounds | undefined): CelType {
  switch (scalar) {
    case 'bool':
      return types.bool
    case 'int32':
    case 'int64':
      return types.int
    case 'double':
      return types.double
    case 'bytes':
      return { kind: 'bytes', sizeMax: field?.maxLength ?? field?.maxBytes ?? textMax, jsonBytesMin: 2 }
    case 'Time':
    case 'MicroTime':
      return { kind: 'timestamp', sizeMax: timeMax, jsonBytesMin: 21 }
    case 'IntOrString':
      return { kind: 'dyn', sizeMax: textSize(field), jsonBytesMin: 1 }
    default:
      return textType(field)
  }
}

/** Strings of custom resources may have a format: then they are times or bytes. */
export function textType(field: TextBounds | undefined): CelType {
  switch (field?.format) {
    case 'byte':
      return { kind: 'bytes', sizeMax: field.maxLength ?? textMax, jsonBytesMin: 2 }
    case 'date':
      return { kind: 'timestamp', sizeMax: 12, jsonBytesMin: 12, isDay: true }
    case 'date-time':
      return { kind: 'timestamp', sizeMax: timeMax, jsonBytesMin: 21 }
    case 'duration':
      return { kind: 'duration', sizeMax: timeMax, jsonBytesMin: 3 }
    default:
      return { kind: 'string', sizeMax: textSize(field), jsonBytesMin: 2 }
  }
}

/** Schemas count characters, requests bytes: a character may take four. */
export function textSize(field: TextBounds | undefined): number {
  if (field?.maxLength !== undefined) return Math.max(0, field.maxLength) * 4
  if (field?.enum) return field.enum.reduce((longest, value) => Math.max(longest, Buffer.byteLength(value)), 0)
  return textMax
}

const depthMax = 20

/** Fewest bytes of a value in JSON: an object has at least its required fields. */
function jsonBytesMin(type: Type, depth: number): number {
  switch (type.is) {
    case 'any':
      return 1
    case 'list':
    case 'map':
      return 2
    case 'scalar':
      return scalarBytesMin(type.scalar)
    case 'struct': {
      let bytes = 2
      if (depth > depthMax) return bytes
      for (const field of type.fields) {
        if (!field.required || field.default !== undefined) continue
        bytes += field.name.length + jsonBytesMin(field.type, depth + 1) + 4
      }
      return bytes
    }
  }
}

function scalarBytesMin(scalar: string): number {
  const type = scalarType(scalar, undefined)
  return 'jsonBytesMin' in type ? (type.jsonBytesMin ?? 2) : 2
}
