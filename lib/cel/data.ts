import { parseLooseDuration } from '../object/index.ts'
import { CelError } from './errors.ts'
import { formatDuration, formatTimestamp, parseDate, parseTimestamp } from './time.ts'
import { type CelType, type ObjectType, types } from './types.ts'
import {
  Bytes,
  Double,
  Duration,
  ListValue,
  type MapKey,
  MapValue,
  normalizeInt,
  ObjectValue,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './values.ts'

/**
 * JSON data as a value of the declared type. Lists, maps and objects convert part by part, when an expression reads them:
 * binding a large object costs nothing. Data that does not fit its type keeps the type its JSON has, and fails where an
 * expression uses it. Values of the engine pass as they are. `raw` must not change while values of it live.
 */
export function toValue(type: CelType, raw: unknown): Value {
  switch (typeof raw) {
    case 'string':
      return type.kind === 'string' ? raw : fromText(type, raw)
    case 'boolean':
      return raw
    case 'number':
      return fromNumber(type, raw)
    case 'bigint':
      return type.kind === 'uint' ? new Uint(normalizeInt(raw)) : normalizeInt(raw)
    case 'object':
      break
    default:
      return null
  }
  if (raw === null) return null
  const prototype: unknown = Object.getPrototypeOf(raw)
  if (prototype === Object.prototype || prototype === null) return fromRecord(type, raw as JsonRecord)
  if (Array.isArray(raw)) return new JsonList(type.kind === 'list' ? type.element : types.dyn, raw)
  if (raw instanceof Uint8Array) return new Bytes(raw)
  if (raw instanceof Date)
    return new Timestamp(Math.floor(raw.getTime() / 1000), (((raw.getTime() % 1000) + 1000) % 1000) * 1e6)
  if (isValueObject(raw)) return raw
  return fromRecord(type, raw as JsonRecord)
}

function fromRecord(type: CelType, raw: JsonRecord): Value {
  if (type.kind === 'object') return new JsonObject(type, raw)
  return new JsonMap(type.kind === 'map' ? type.value : types.dyn, raw)
}

type JsonRecord = Readonly<Record<string, unknown>>

function isValueObject(raw: object): raw is Value & object {
  return (
    raw instanceof ListValue ||
    raw instanceof MapValue ||
    raw instanceof ObjectValue ||
    raw instanceof Uint ||
    raw instanceof Double ||
    raw instanceof Bytes ||
    raw instanceof Timestamp ||
    raw instanceof Duration ||
    raw instanceof TypeValue ||
    raw instanceof Optional ||
    raw instanceof Opaque
  )
}

function fromNumber(type: CelType, raw: number): Value {
  if (type.kind === 'double' || !Number.isInteger(raw)) return new Double(raw)
  if (type.kind === 'uint') return new Uint(raw)
  // + 0: JSON may say -0, which no int is.
  if (Number.isSafeInteger(raw)) return raw + 0
  return Math.abs(raw) < 2 ** 63 ? BigInt(raw) : new Double(raw)
}

function fromText(type: CelType, raw: string): Value {
  switch (type.kind) {
    case 'bytes':
      return new Bytes(Buffer.from(raw, 'base64'))
    case 'timestamp':
      return parseTimestamp(raw) ?? parseDate(raw) ?? raw
    case 'duration':
      return durationOf(raw) ?? raw
    default:
      return raw
  }
}

/** Fields take more forms than the function `duration` does: days and weeks, too. */
function durationOf(raw: string): Duration | undefined {
  const nanos = parseLooseDuration(raw)
  return nanos === undefined ? undefined : new Duration(nanos)
}

class JsonList extends ListValue {
  readonly #element: CelType
  readonly #raw: readonly unknown[]
  constructor(element: CelType, raw: readonly unknown[]) {
    super()
    this.#element = element
    this.#raw = raw
  }
  get size(): number {
    return this.#raw.length
  }
  at(index: number): Value {
    return toValue(this.#element, this.#raw[index])
  }
}

class JsonMap extends MapValue {
  readonly #value: CelType
  readonly #raw: JsonRecord
  #keys: string[] | undefined
  constructor(value: CelType, raw: JsonRecord) {
    super()
    this.#value = value
    this.#raw = raw
  }
  get size(): number {
    return this.#names().length
  }
  get(key: Value): Value | undefined {
    // Own properties only: `constructor` and `__proto__` are data like any other, or absent.
    if (typeof key !== 'string' || !Object.hasOwn(this.#raw, key)) return undefined
    const raw = this.#raw[key]
    return raw === undefined ? undefined : toValue(this.#value, raw)
  }
  keys(): Iterable<MapKey> {
    return this.#names()
  }
  #names(): string[] {
    this.#keys ??= Object.keys(this.#raw).filter((key) => this.#raw[key] !== undefined)
    return this.#keys
  }
}

class JsonObject extends ObjectValue {
  readonly type: ObjectType
  readonly #raw: JsonRecord
  constructor(type: ObjectType, raw: JsonRecord) {
    super()
    this.type = type
    this.#raw = raw
  }
  get typeName(): string {
    return this.type.name
  }
  get(name: string): Value | undefined {
    const field = this.type.field(name)
    if (!field || !Object.hasOwn(this.#raw, field.name)) return undefined
    const raw = this.#raw[field.name]
    return raw === undefined ? undefined : toValue(field.type, raw)
  }
  names(): readonly string[] {
    const names: string[] = []
    for (const [name, field] of this.type.fields) {
      if (Object.hasOwn(this.#raw, field.name) && this.#raw[field.name] !== undefined) names.push(name)
    }
    return names
  }
}

/** An object that an expression made (`Name{…}`). */
export class MadeObject extends ObjectValue {
  readonly type: ObjectType
  readonly #fields: ReadonlyMap<string, Value>
  constructor(type: ObjectType, fields: ReadonlyMap<string, Value>) {
    super()
    this.type = type
    this.#fields = fields
  }
  get typeName(): string {
    return this.type.name
  }
  get(name: string): Value | undefined {
    return this.#fields.get(name)
  }
  names(): readonly string[] {
    return [...this.#fields.keys()]
  }
}

const outputDepthMax = 500
/** As many as a body may have: objects of more are refused anyway. */
const outputPartsMax = 100_000

/**
 * A value as JSON data: bytes in base64, timestamps and durations as text, ints beyond 2^53 as bigint, an empty optional
 * as undefined. Throws CelError invalidArgument for what JSON can't say (types, a library's values, keys that are no text).
 */
export function fromValue(value: Value): unknown {
  return toJson(value, 0, { parts: 0 })
}

interface Count {
  parts: number
}

function toJson(value: Value, depth: number, count: Count): unknown {
  if (depth > outputDepthMax || ++count.parts > outputPartsMax) {
    throw new CelError('invalidArgument', 'the value is too large')
  }
  if (value === null || typeof value !== 'object') return value
  if (value instanceof Uint || value instanceof Double) return value.value
  if (value instanceof Bytes) return Buffer.from(value.value).toString('base64')
  if (value instanceof Timestamp) return formatTimestamp(value)
  if (value instanceof Duration) return formatDuration(value)
  if (value instanceof ListValue) return Array.from(value, (item) => toJson(item, depth + 1, count))
  if (value instanceof MapValue) return mapToJson(value, depth, count)
  if (value instanceof ObjectValue) return objectToJson(value, depth, count)
  if (value instanceof Optional) return value.value === undefined ? undefined : toJson(value.value, depth + 1, count)
  throw new CelError(
    'invalidArgument',
    `a value of type ${value instanceof TypeValue ? 'type' : value.typeName} has no JSON form`,
  )
}

function mapToJson(value: MapValue, depth: number, count: Count): unknown {
  const out: Record<string, unknown> = {}
  for (const key of value.keys()) {
    if (typeof key !== 'string')
      throw new CelError('invalidArgument', 'a map with keys that are no strings has no JSON form')
    define(out, key, toJson(value.get(key) ?? null, depth + 1, count))
  }
  return out
}

function objectToJson(value: ObjectValue, depth: number, count: Count): unknown {
  const out: Record<string, unknown> = {}
  const type = value instanceof MadeObject || value instanceof JsonObject ? value.type : undefined
  for (const name of value.names()) {
    define(out, type?.field(name)?.name ?? name, toJson(value.get(name) ?? null, depth + 1, count))
  }
  return out
}

/** `__proto__` becomes a field like others. */
function define(out: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') out[key] = value
  else Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true })
}
