import { deepEqual, parseLooseDuration } from '../../object/index.ts'
import { type CelType, type ObjectField, type ObjectType, types } from '../check/types.ts'
import { escapeName, unescapeName } from '../syntax/escape.ts'
import { KeyedList, SetList } from './associative.ts'
import { CelError, invalidArgument } from './errors.ts'
import { formatCelDuration, formatTimestamp, parseDate, parseTimestamp } from './time.ts'
import { timeFault } from './timefault.ts'
import {
  Bytes,
  Double,
  Duration,
  EngineValue,
  ListValue,
  type MapKey,
  MapValue,
  normalizeInt,
  ObjectValue,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './values.ts'

/**
 * JSON data as a value of the declared type. Lists, maps and objects are converted part by part, when an expression
 * reads them: binding a large object costs nothing. Data that does not match its type keeps the type of its JSON, and
 * fails where an expression uses it; an invalid time or duration fails where it is read, with CelError. Values of the
 * engine are returned unchanged. `raw` must not change while values of it are in use.
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
  if (isValueObject(raw)) return raw
  if (Array.isArray(raw)) return fromArray(type, raw)
  if (raw instanceof Uint8Array) return new Bytes(raw)
  if (raw instanceof Date)
    return new Timestamp(Math.floor(raw.getTime() / 1000), (((raw.getTime() % 1000) + 1000) % 1000) * 1e6)
  return fromRecord(type, raw as JsonRecord)
}

function fromArray(type: CelType, raw: readonly unknown[]): ListValue {
  if (type.kind !== 'list') return new JsonList(types.dyn, raw)
  const list = new JsonList(type.element, raw)
  const { associative } = type
  if (associative === undefined) return list
  return associative === 'set' ? new SetList(list) : new KeyedList(list, associative)
}

function fromRecord(type: CelType, raw: JsonRecord): Value {
  if (type.kind === 'object') return new JsonObject(type, raw)
  return new JsonMap(type.kind === 'map' ? type.value : types.dyn, raw)
}

type JsonRecord = Readonly<Record<string, unknown>>

function isValueObject(raw: object): raw is Value & object {
  return raw instanceof EngineValue
}

function fromNumber(type: CelType, raw: number): Value {
  if (type.kind === 'double' || !Number.isInteger(raw)) return new Double(raw)
  if (type.kind === 'uint') return new Uint(raw)
  // + 0: JSON allows -0, ints don't.
  if (Number.isSafeInteger(raw)) return raw + 0
  return Math.abs(raw) < 2 ** 63 ? BigInt(raw) : new Double(raw)
}

function fromText(type: CelType, raw: string): Value {
  switch (type.kind) {
    case 'bytes':
      return new Bytes(Buffer.from(raw, 'base64'))
    case 'timestamp':
      return type.isDay ? dayOf(raw) : timeOf(raw)
    case 'duration':
      return durationOf(raw)
    default:
      return raw
  }
}

/** Throws CelError for an invalid time. Fields allow more forms than the function `timestamp`. */
function timeOf(raw: string): Value {
  if (raw === '') return new Timestamp(0, 0)
  const found = parseTimestamp(raw) ?? (/:\d\d(?:\.\d+)?$/.test(raw) ? parseTimestamp(`${raw}Z`) : undefined)
  return found ?? invalidArgument(`Invalid date-time formatted string ${raw}: ${timeFault(raw, 'time')}`)
}

function dayOf(raw: string): Value {
  return parseDate(raw) ?? invalidArgument(`Invalid date formatted string ${raw}: ${timeFault(raw, 'day')}`)
}

/** Fields allow more forms than the function `duration`: days and weeks, too. */
function durationOf(raw: string): Value {
  const nanos = parseLooseDuration(raw)
  return nanos === undefined
    ? invalidArgument(`Invalid duration ${raw}: unable to parse ${raw} as duration`)
    : new Duration(nanos)
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
    if (typeof key !== 'string') return undefined
    const raw = this.#raw[key]
    // Own properties only: `constructor` and `__proto__` are ordinary keys.
    return raw === undefined || !Object.hasOwn(this.#raw, key) ? undefined : toValue(this.#value, raw)
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
    const field = this.type.field(name) ?? this.#unescaped(name)
    if (!field || !Object.hasOwn(this.#raw, field.name)) return undefined
    const raw = this.#raw[field.name]
    // A null field counts as absent.
    return raw === undefined || raw === null ? undefined : toValue(field.type, raw)
  }
  /** When the checker doesn't know the type, a field is found by its unescaped name, too. */
  #unescaped(name: string): ObjectField | undefined {
    const escaped = escapeName(unescapeName(name) ?? name)
    return escaped === undefined || escaped === name ? undefined : this.type.field(escaped)
  }
  names(): readonly string[] {
    const names: string[] = []
    for (const [name, field] of this.type.fields) {
      if (!Object.hasOwn(this.#raw, field.name)) continue
      const raw = this.#raw[field.name]
      if (raw !== undefined && raw !== null) names.push(name)
    }
    return names
  }
  override get size(): number {
    return Object.keys(this.#raw).length
  }
  override *keys(): Iterable<string> {
    for (const [name, field] of this.type.fields) if (Object.hasOwn(this.#raw, field.name)) yield name
  }
  override sameUnreadable(other: ObjectValue, visit: () => void): boolean {
    if (!(other instanceof JsonObject)) return true
    const keys = Object.keys(this.#raw)
    if (keys.length !== Object.keys(other.#raw).length) return false
    if (keys.length === this.names().length) return true
    const declared = new Set(Array.from(this.type.fields.values(), (field) => field.name))
    const same = (a: unknown, b: unknown): boolean => {
      visit()
      return deepEqual(a, b)
    }
    // The stock server compares the keys that both have.
    return keys.every(
      (key) => declared.has(key) || !Object.hasOwn(other.#raw, key) || same(this.#raw[key], other.#raw[key]),
    )
  }
}

/** An object created by an expression (`Name{…}`). */
export class MadeObject extends ObjectValue {
  override readonly isMade = true
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
/** As many parts as a body may have: larger objects are refused anyway. */
const outputPartsMax = 100_000

/**
 * A value as JSON data: bytes in base64, timestamps and durations as text, ints beyond 2^53 as bigint, an empty
 * optional as undefined. Throws CelError invalidArgument for values without a JSON form (types, a library's values,
 * keys that are not strings).
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
  if (value instanceof Duration) return formatCelDuration(value)
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

/** Makes `__proto__` an ordinary field. */
function define(out: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') out[key] = value
  else Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true })
}
