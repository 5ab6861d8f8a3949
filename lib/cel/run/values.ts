import type { CelType } from '../check/types.ts'

/**
 * CEL values. An int is a number while it is a safe integer and a bigint beyond (never both: comparisons of the two
 * forms rely on it); types that JavaScript's own values can't distinguish have classes. Measured: an int comparison on
 * numbers costs 2 ns, on bigints 25 ns, and JSON has numbers already; doubles are rare in the API, so they are boxed.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint
  | Double
  | Bytes
  | Timestamp
  | Duration
  | ListValue
  | MapValue
  | ObjectValue
  | TypeValue
  | Optional
  | Opaque

/** The base of all values that are objects of classes: distinguishes them from JSON data. */
export abstract class EngineValue {}

/** The same form as int: number when safe, else bigint; 0 … 2^64-1. */
export class Uint extends EngineValue {
  readonly value: number | bigint
  constructor(value: number | bigint) {
    super()
    this.value = value
  }
}

export class Double extends EngineValue {
  readonly value: number
  constructor(value: number) {
    super()
    this.value = value
  }
}

export class Bytes extends EngineValue {
  readonly value: Uint8Array
  constructor(value: Uint8Array) {
    super()
    this.value = value
  }
}

/** Seconds since 1970 and nanoseconds within them (0 … 999999999). */
export class Timestamp extends EngineValue {
  readonly seconds: number
  readonly nanos: number
  /** The offset in the text that it was parsed from: used for printing, not part of its value. */
  readonly offsetMinutes: number
  constructor(seconds: number, nanos: number, offsetMinutes = 0) {
    super()
    this.seconds = seconds
    this.nanos = nanos
    this.offsetMinutes = offsetMinutes
  }
}

/** Nanoseconds, within int64. */
export class Duration extends EngineValue {
  readonly nanos: bigint
  constructor(nanos: bigint) {
    super()
    this.nanos = nanos
  }
}

/** Equality of two parts during a comparison; counts as a visit. */
export type Equality = (a: Value, b: Value) => boolean

/** A list; elements of JSON lists are converted when they are read. */
export abstract class ListValue extends EngineValue {
  abstract readonly size: number
  /** `index` is within the list. */
  abstract at(index: number): Value

  /** The sum with another list; neither is empty. */
  plus(other: ListValue): ListValue {
    return new ConcatList(this, other)
  }

  /** Number of elements that plus() visits. */
  plusVisits(_other: ListValue): number {
    return 0
  }

  /** Overridden by lists with their own equality for lists of one size; undefined: compare element by element. */
  sameElements(_other: ListValue, _equal: Equality): boolean | undefined {
    return undefined
  }

  *[Symbol.iterator](): Generator<Value> {
    for (let index = 0; index < this.size; index++) yield this.at(index)
  }
}

export class ArrayList extends ListValue {
  readonly items: readonly Value[]
  constructor(items: readonly Value[]) {
    super()
    this.items = items
  }
  get size(): number {
    return this.items.length
  }
  at(index: number): Value {
    return this.items[index] as Value
  }
}

/**
 * Two lists in a row, the result of `a + b` without a copy: a few sums of a list with itself have more elements than
 * memory, and no code may ever walk over all of them without charging for it.
 */
class ConcatList extends ListValue {
  readonly #left: ListValue
  readonly #right: ListValue
  readonly size: number

  constructor(left: ListValue, right: ListValue) {
    super()
    this.#left = left
    this.#right = right
    this.size = left.size + right.size
  }

  at(index: number): Value {
    const { size } = this.#left
    return index < size ? this.#left.at(index) : this.#right.at(index - size)
  }
}

export type MapKey = string | boolean | number | bigint | Uint

/** A map. Keys keep their order of insertion. */
export abstract class MapValue extends EngineValue {
  abstract readonly size: number
  /** undefined: no such key. An int finds the equal uint, and a double its equal integer. */
  abstract get(key: Value): Value | undefined
  abstract keys(): Iterable<MapKey>
}

/** A map created by an expression. */
export class EntryMap extends MapValue {
  readonly #entries: Map<string | boolean | number | bigint, { key: MapKey; value: Value }>

  constructor(entries: Iterable<readonly [MapKey, Value]>) {
    super()
    this.#entries = new Map()
    for (const [key, value] of entries) this.#entries.set(plainKey(key) as string, { key, value })
  }
  get size(): number {
    return this.#entries.size
  }
  get(key: Value): Value | undefined {
    const plain = plainKey(key)
    return plain === undefined ? undefined : this.#entries.get(plain)?.value
  }
  *keys(): Iterable<MapKey> {
    for (const entry of this.#entries.values()) yield entry.key
  }
  /** Adds an entry, for loops that build a map; false when the key exists already. */
  add(key: MapKey, value: Value): boolean {
    const plain = plainKey(key) as string
    if (this.#entries.has(plain)) return false
    this.#entries.set(plain, { key, value })
    return true
  }
}

/** Numbers that are equal in CEL become one JavaScript key; undefined for values that can't be keys. */
function plainKey(key: Value): string | boolean | number | bigint | undefined {
  switch (typeof key) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'bigint':
      return key
    default:
      if (key instanceof Uint) return key.value
      if (key instanceof Double && Number.isInteger(key.value)) {
        return Number.isSafeInteger(key.value) ? key.value + 0 : BigInt(key.value)
      }
      return undefined
  }
}

/** An object with declared fields: API data, or the result of a message literal. Converts fields when they are read. */
export abstract class ObjectValue extends EngineValue {
  abstract readonly typeName: string
  /** An expression created it or its fields; other objects are API data. */
  readonly isMade: boolean = false
  /** The value of a declared field by its CEL name; undefined when it is not set. */
  abstract get(name: string): Value | undefined
  /** Names of the set fields. */
  abstract names(): readonly string[]

  /** Number of entries as a map, where the type of data is not known: null fields count. */
  get size(): number {
    return this.names().length
  }
  keys(): Iterable<string> {
    return this.names()
  }

  /** Whether the parts that no expression can read are equal, too: undeclared fields, and the number of fields. */
  sameUnreadable(_other: ObjectValue, _visit: () => void): boolean {
    return true
  }
}

/** Values that can be read as a map: maps, and data of declared objects (but not objects created by an expression). */
export function asMap(value: Value): Pick<MapValue, 'size' | 'keys' | 'get'> | undefined {
  if (value instanceof MapValue) return value
  // Fields are found by name only: other keys find nothing.
  return value instanceof ObjectValue && !value.isMade ? (value as Pick<MapValue, 'size' | 'keys' | 'get'>) : undefined
}

/** A type as a value: `type(1)`, `int`. */
export class TypeValue extends EngineValue {
  readonly type: CelType
  readonly name: string
  constructor(type: CelType, name: string) {
    super()
    this.type = type
    this.name = name
  }
}

export class Optional extends EngineValue {
  readonly value: Value | undefined
  constructor(value: Value | undefined) {
    super()
    this.value = value
  }
}

/** A value of a library's own type (quantity, URL, …). */
export abstract class Opaque extends EngineValue {
  abstract readonly typeName: string
  abstract equals(other: Opaque): boolean
}

/** An int64 in the form of values; undefined when it is out of range. */
export function normalizeInt(value: bigint): number | bigint {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value
}

/** Only texts with surrogates have more units than code points; the test is fast for one-byte texts. */
const highSurrogate = /[\ud800-\udbff]/

/** The number of code points, which CEL counts. */
export function codePointCount(text: string): number {
  let count = text.length
  if (!highSurrogate.test(text)) return count
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) count--
  }
  return count
}
