import {
  ArrayList,
  Bytes,
  Double,
  Duration,
  type Equality,
  ListValue,
  MapValue,
  ObjectValue,
  Timestamp,
  Uint,
  type Value,
} from './values.ts'

/** A list whose schema defines comparison and sum (`x-kubernetes-list-type`). */
abstract class AssociativeList extends ListValue {
  protected readonly list: ListValue

  constructor(list: ListValue) {
    super()
    this.list = list
  }
  get size(): number {
    return this.list.size
  }
  at(index: number): Value {
    return this.list.at(index)
  }
  override plusVisits(other: ListValue): number {
    return this.size + other.size
  }
}

/** A set: the order of elements doesn't matter. */
export class SetList extends AssociativeList {
  override sameElements(other: ListValue): boolean {
    const keys = this.#keys()
    for (const item of other) if (!keys.has(scalarKey(item))) return false
    return true
  }

  /** The union: missing elements follow in the other list's order. */
  override plus(other: ListValue): ListValue {
    const keys = this.#keys()
    const items = [...this]
    for (const item of other) {
      const key = scalarKey(item)
      if (keys.has(key)) continue
      keys.add(key)
      items.push(item)
    }
    return new SetList(new ArrayList(items))
  }

  #keys(): Set<ScalarKey> {
    return new Set(Array.from(this, scalarKey))
  }
}

/** A list with one element for each combination of key values; their order doesn't matter. */
export class KeyedList extends AssociativeList {
  readonly #fields: readonly string[]

  /** `fields` by their names in expressions. */
  constructor(list: ListValue, fields: readonly string[]) {
    super(list)
    this.#fields = fields
  }

  override sameElements(other: ListValue, equal: Equality): boolean {
    const own = new Map(Array.from(this, (item) => [this.#keyOf(item), item] as const))
    for (const item of other) {
      const found = own.get(this.#keyOf(item))
      if (found === undefined || !equal(found, item)) return false
    }
    return true
  }

  /** Elements of the other list replace those with their keys; the rest follow. */
  override plus(other: ListValue): ListValue {
    const items = [...this]
    const places = new Map(items.map((item, index) => [this.#keyOf(item), index]))
    for (const item of other) {
      const place = places.get(this.#keyOf(item))
      if (place === undefined) items.push(item)
      else items[place] = item
    }
    return new KeyedList(new ArrayList(items), this.#fields)
  }

  #keyOf(item: Value): string {
    const parts = this.#fields.map((field) => {
      const value = item instanceof ObjectValue || item instanceof MapValue ? item.get(field) : undefined
      return value === undefined ? 'absent' : `${typeof value} ${String(scalarKey(value))}`
    })
    return JSON.stringify(parts)
  }
}

type ScalarKey = string | number | bigint | boolean | null | object

/** The same key for equal scalars; values of other types are distinct keys. */
function scalarKey(value: Value): ScalarKey {
  if (value instanceof Uint || value instanceof Double) return value.value
  if (value instanceof Timestamp) return `timestamp ${value.seconds} ${value.nanos}`
  if (value instanceof Duration) return `duration ${value.nanos}`
  return value instanceof Bytes ? `bytes ${Buffer.from(value.value).toString('base64')}` : value
}
