import { type EstimateNode, plus, type Range, scaled, times, unitCost } from '../check/range.ts'
import { asMap, Bytes, codePointCount, ListValue, type Value } from './values.ts'

/** Cost units, as the stock server counts them. One unit is about 50 ns of its time. */
export const costs = Object.freeze({
  /** Reading a variable, a field, an element. */
  access: 1,
  list: 10,
  map: 30,
  struct: 40,
  /** A call without another cost. */
  call: 1,
  /** Reading a character of a string, or a byte, once. */
  traversal: 0.1,
  /** A character of a regular expression, for each tenth of a matched character. */
  regex: 0.25,
})

/** The result of size(); 1 for values without a size. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return codePointCount(value)
  if (value instanceof ListValue) return value.size
  if (value instanceof Bytes) return value.value.length
  return asMap(value)?.size ?? 1
}

/** Cost of reading so many characters or elements once. */
export function traversal(size: number): number {
  return Math.ceil(size * costs.traversal)
}

export function regexCost(textSize: number, patternSize: number): number {
  return Math.ceil((1 + textSize) * costs.traversal) * Math.ceil(patternSize * costs.regex)
}

export function regexEstimate(text: Range, pattern: Range): Range {
  return times(scaled(plus(text, unitCost), costs.traversal), scaled(pattern, costs.regex))
}

/** Cost of visits to elements for which the stock server charges nothing. */
export function unseen(visits: number): number {
  return Math.floor(visits / 100)
}

/** Cost of reading a value at all depths; infinite beyond any budget. */
export function deepTraversal(value: Value): number {
  const walk = { visits: 0 }
  return deepCost(value, walk) + unseen(walk.visits)
}

/** Visits before a value counts as endless: shared parts make small values large. */
const visitsMax = 2_000_000

function deepCost(value: Value, walk: { visits: number }): number {
  if (++walk.visits > visitsMax) return Number.POSITIVE_INFINITY
  if (typeof value === 'string') return Math.floor(value.length * costs.traversal)
  if (value instanceof Bytes) return Math.floor(value.value.length * costs.traversal)
  if (value instanceof ListValue) {
    let cost = 0
    for (let at = 0; at < value.size && cost !== Number.POSITIVE_INFINITY; at++) cost += deepCost(value.at(at), walk)
    return cost
  }
  const map = asMap(value)
  if (map) {
    let cost = 0
    for (const key of map.keys()) {
      cost += deepCost(key, walk) + deepCost(map.get(key) ?? null, walk)
      if (cost === Number.POSITIVE_INFINITY) return cost
    }
    return cost
  }
  return 1
}

/** Cost of comparing two values: by the smaller one; scalars cost 1. */
export function comparison(a: Value, b: Value): number {
  return traversal(Math.min(sizeOf(a), sizeOf(b)))
}

/**
 * Worst case of comparing two values: the smaller one is read completely. Values of libraries have a constant cost,
 * except for URLs.
 */
export function compareSizes(args: readonly Pick<EstimateNode, 'size' | 'type'>[]): { cost: Range } {
  const [left, right] = args
  const type = left?.type
  if (type?.kind === 'opaque' && type.parameters.length === 0) {
    const text = type.name === 'kubernetes.URL' ? (right?.size.max ?? 1) : 1
    return { cost: scaled({ min: 1, max: Math.max(1, text) }, costs.traversal) }
  }
  const max = Math.min(left?.size.max ?? 1, right?.size.max ?? 1)
  return { cost: scaled({ min: max > 0 ? 1 : 0, max }, costs.traversal) }
}
