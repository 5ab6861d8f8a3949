import { globalForm, type Library, memberForm, type Overload } from '../check/function.ts'
import { exactly, plus, type Range, scaled, times, unbounded, unknownSize } from '../check/range.ts'
import { type CelType, types } from '../check/types.ts'
import { equals, order } from '../run/compare.ts'
import { costs, deepTraversal, sizeOf } from '../run/cost.ts'
import { invalidArgument } from '../run/errors.ts'
import { typeOf } from '../run/typeof.ts'
import { ArrayList, Bytes, ListValue, type Value } from '../run/values.ts'
import { sortByFunction, sortByMacro } from '../syntax/macros.ts'

const { int, uint, double, bool, string, bytes, timestamp, duration } = types
const comparable = [int, uint, double, bool, duration, timestamp, string, bytes]
const T = types.param('T')
const listT = types.list(T)
const rangeSizeMax = 1_000_000
/** Cost of a call that creates a list. */
const making = costs.call + costs.list

type Extras = Pick<Overload, 'cost' | 'estimate'>

/**
 * The list functions of CEL's own extension, version 3: slice, flatten, distinct, sort, sortBy, reverse and
 * lists.range. Elements of equal keys keep their order.
 */
export function extendedListsLibrary(): Library {
  return {
    name: 'extended lists',
    macros: [sortByMacro],
    functions: [
      { name: 'slice', overloads: [memberForm('list_slice', [listT, int, int], listT, slice, slicing)] },
      {
        name: 'flatten',
        overloads: [
          memberForm('list_flatten', [types.list(listT)], listT, (list: ListValue) => flatten(list, 1), flattening),
          memberForm('list_flatten_int', [types.list(types.dyn), int], types.list(types.dyn), flatten, flattening),
        ],
      },
      { name: 'distinct', overloads: [memberForm('list_distinct', [listT], listT, distinct, comparing)] },
      { name: 'reverse', overloads: [memberForm('list_reverse', [listT], listT, reverse, reversing)] },
      { name: 'lists.range', overloads: [globalForm('lists_range', [int], types.list(int), range, counting)] },
      {
        name: 'sort',
        overloads: comparable.map((type) =>
          memberForm(
            `list_${type.kind}_sort`,
            [types.list(type)],
            types.list(type),
            (list: ListValue) => sortByKeys(list, list),
            sorting(0, type),
          ),
        ),
      },
      {
        name: sortByFunction,
        overloads: comparable.map((type) =>
          memberForm(
            `list_${type.kind}_sortByAssociatedKeys`,
            [listT, types.list(type)],
            listT,
            sortByKeys,
            sorting(1, type),
          ),
        ),
      },
    ],
  }
}

function made(size: Range, cost: Range = size): { cost: Range; resultSize: Range } {
  return { cost: plus(cost, exactly(making)), resultSize: size }
}

const slicing: Extras = {
  cost: (list, start, end) => making + (sliceFault(list, start, end) === undefined ? Number(end) - Number(start) : 1),
  estimate: ([list, start, end]) => {
    const size = Math.max(0, end?.literalInt ?? list?.size.max ?? unbounded) - Math.max(0, start?.literalInt ?? 0)
    return made(exactly(size < 0 ? unbounded : size))
  },
}

function slice(list: ListValue, first: number | bigint, last: number | bigint): Value {
  const fault = sliceFault(list, first, last)
  if (fault !== undefined) return invalidArgument(`cannot slice(${first}, ${last}), ${fault}`)
  const items: Value[] = []
  for (let at = Number(first); at < last; at++) items.push(list.at(at))
  return new ArrayList(items)
}

function sliceFault(list: Value, first: Value, last: Value): string | undefined {
  const [start, end] = [Number(first), Number(last)]
  if (start < 0 || end < 0) return 'negative indexes not supported'
  if (start > end) return 'start index must be less than or equal to end index'
  return sizeOf(list) < end ? `list is length ${sizeOf(list)}` : undefined
}

const flattening: Extras = {
  cost(list, levels) {
    const depth = levels === null ? 1 : Number(levels)
    const charged = Math.floor(sizeOf(list) * (depth < 0 ? 1 : depth))
    // Shared parts make a short list long: the result costs, too.
    const size = list instanceof ListValue ? flatSize(list, depth, { visits: 0 }) : 0
    return making + (size > 10 * charged + 100 ? size : charged)
  },
  estimate: ([list, levels]) => {
    const size = list?.size ?? unknownSize
    return made(size, scaled(size, levels ? Math.max(0, levels.literalInt ?? unbounded) : 1))
  },
}

/** More elements than any budget allows. */
const flatSizeMax = 2_000_000

function flatSize(list: ListValue, depth: number, walk: { visits: number }): number {
  if (depth <= 0) return list.size
  let size = 0
  for (let at = 0; at < list.size; at++) {
    if (++walk.visits > flatSizeMax) return Number.POSITIVE_INFINITY
    const item = list.at(at)
    size += item instanceof ListValue ? flatSize(item, depth - 1, walk) : 1
  }
  return size
}

function flatten(list: ListValue, levels: number | bigint): Value {
  const depth = Number(levels)
  if (depth < 0) return invalidArgument('level must be non-negative')
  const items: Value[] = []
  addFlat(items, list, depth)
  return new ArrayList(items)
}

function addFlat(items: Value[], list: ListValue, depth: number): void {
  for (const item of list) {
    if (item instanceof ListValue && depth > 0) addFlat(items, item, depth - 1)
    else items.push(item)
  }
}

const reversing: Extras = {
  cost: (list) => making + sizeOf(list),
  estimate: ([list]) => made(list?.size ?? unknownSize),
}

function reverse(list: ListValue): Value {
  const items: Value[] = []
  for (let at = list.size - 1; at >= 0; at--) items.push(list.at(at))
  return new ArrayList(items)
}

const counting: Extras = {
  cost: (count) => making + (rangeFault(count) === undefined ? Number(count) : 1),
  estimate: ([count]) => made(exactly(Math.max(0, count?.literalInt ?? unbounded))),
}

function range(count: number | bigint): Value {
  const fault = rangeFault(count)
  if (fault !== undefined) return invalidArgument(`lists.range: size ${fault}`)
  return new ArrayList(Array.from({ length: Number(count) }, (_, at) => at))
}

function rangeFault(count: Value): string | undefined {
  if (Number(count) < 0) return `must be non-negative, got ${count}`
  return Number(count) > rangeSizeMax ? `${count} exceeds maximum allowed (${rangeSizeMax})` : undefined
}

/** Compares every element with every other, twice. */
const comparing: Extras = {
  cost: (list) => making + allPairs(list),
  estimate: ([list]) => pairsEstimate(list?.size, list?.type.kind === 'list' ? list.type.element : types.dyn),
}

function sorting(keys: 0 | 1, type: CelType): Extras {
  return {
    cost: (...args) => making + allPairs(args[keys]),
    estimate: (args) => pairsEstimate(args[keys]?.size, type),
  }
}

function pairsEstimate(size: Range | undefined, { kind }: CelType): { cost: Range; resultSize: Range } {
  const pairs = times(size ?? unknownSize, size ?? unknownSize)
  return made(pairs, scaled(pairs, kind === 'string' || kind === 'bytes' ? 2 + costs.traversal : 2))
}

function allPairs(list: Value): number {
  if (!(list instanceof ListValue) || list.size === 0) return 0
  const first = list.at(0)
  const isText = typeof first === 'string' || first instanceof Bytes
  const cost = Math.floor(list.size ** 2 * (isText ? 2 + costs.traversal : 2))
  return cost > pairsCostMax ? cost : cost + longElements(list)
}

/** More than any budget: the lengths of elements don't matter then. */
const pairsCostMax = 1e8

/** Long elements are compared as a whole. */
function longElements(list: ListValue): number {
  const deep = deepTraversal(list)
  return deep > 10 * list.size + 100 ? Math.floor((deep * list.size) / 100) : 0
}

function distinct(list: ListValue): Value {
  const items: Value[] = []
  for (const item of list) if (!items.some((other) => equals(item, other))) items.push(item)
  return new ArrayList(items)
}

function sortByKeys(list: ListValue, keys: ListValue): Value {
  if (list.size === 0) return list
  const type = typeOf(keys.at(0)).name
  const order = Array.from(keys, (key, at) => ({ key, at }))
  if (order.length > 1 && order.some(({ key }) => typeOf(key).name !== type))
    return invalidArgument('list elements must have the same type')
  order.sort((left, right) => compared(left.key, right.key))
  return new ArrayList(order.map(({ at }) => list.at(at)))
}

/** NaN is as large as any other number. */
function compared(left: Value, right: Value): number {
  return order(left, right) ?? 0
}
