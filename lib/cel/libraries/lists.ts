import { type FunctionDeclaration, globalForm, type Library, memberForm, type Overload } from '../check/function.ts'
import { exactly, plus, scaled, times, unitCost, unknownSize } from '../check/range.ts'
import { type CelType, types } from '../check/types.ts'
import { add } from '../run/arithmetic.ts'
import { equals, order } from '../run/compare.ts'
import { costs, deepTraversal, sizeOf } from '../run/cost.ts'
import { invalidArgument, noSuchOverload } from '../run/errors.ts'
import { Double, Duration, type ListValue, Uint, type Value } from '../run/values.ts'

const { int, uint, double, bool, string, bytes, timestamp, duration } = types
const T = types.param('T')
const listT = types.list(T)
type Estimate = NonNullable<Overload['estimate']>

/** Cost of reading each element once, strings and bytes with their length. */
const traversed: Estimate = ([list]) => {
  if (!list) return { cost: unitCost }
  const element = list.type.kind === 'list' ? list.type.element.kind : undefined
  const each =
    element === 'string' || element === 'bytes' ? plus(unitCost, scaled(list.elementSize, costs.traversal)) : unitCost
  return { cost: times(list.size, each) }
}

const extras = { cost: (list: Value) => deepTraversal(list), estimate: traversed }

/** The list functions of the stock server: isSorted, sum, min, max, indexOf, lastIndexOf. */
export function kubernetesListsLibrary(): Library {
  const comparable = [int, uint, double, bool, duration, timestamp, string, bytes]
  const forEach = (name: string, result: (type: CelType) => CelType, call: (list: ListValue) => Value) => ({
    name,
    overloads: comparable.map((type) =>
      memberForm(`list_${type.kind}_${name}`, [types.list(type)], result(type), call, extras),
    ),
  })
  const zeros: readonly (readonly [CelType, Value])[] = [
    [int, 0],
    [uint, new Uint(0)],
    [double, new Double(0)],
    [duration, new Duration(0n)],
  ]
  return {
    name: 'kubernetes lists',
    functions: [
      forEach('isSorted', () => bool, isSorted),
      forEach(
        'min',
        (type) => type,
        (list) => extreme(list, 'min', -1),
      ),
      forEach(
        'max',
        (type) => type,
        (list) => extreme(list, 'max', 1),
      ),
      {
        name: 'sum',
        overloads: zeros.map(([type, zero]) =>
          memberForm(`list_${type.kind}_sum`, [types.list(type)], type, (list: ListValue) => sum(list, zero), extras),
        ),
      },
      { name: 'indexOf', overloads: [memberForm('list_index_of', [listT, T], int, indexOf, extras)] },
      { name: 'lastIndexOf', overloads: [memberForm('list_last_index_of', [listT, T], int, lastIndexOf, extras)] },
    ],
  }
}

function ordered(a: Value, b: Value): number {
  return order(a, b) ?? noSuchOverload()
}

function isSorted(list: ListValue): boolean {
  for (let at = 1; at < list.size; at++) if (ordered(list.at(at - 1), list.at(at)) > 0) return false
  return true
}

function extreme(list: ListValue, name: string, sign: 1 | -1): Value {
  if (list.size === 0) return invalidArgument(`${name} called on empty list`)
  let best = list.at(0)
  for (let at = 1; at < list.size; at++) {
    const item = list.at(at)
    if (ordered(item, best) * sign > 0) best = item
  }
  return best
}

function sum(list: ListValue, zero: Value): Value {
  let total = zero
  for (const item of list) total = add(total, item)
  return total
}

function indexOf(list: ListValue, item: Value): number {
  for (let at = 0; at < list.size; at++) if (equals(list.at(at), item)) return at
  return -1
}

function lastIndexOf(list: ListValue, item: Value): number {
  for (let at = list.size - 1; at >= 0; at--) if (equals(list.at(at), item)) return at
  return -1
}

/** Set relations of lists: sets.contains, sets.equivalent, sets.intersects. */
export function setsLibrary(): Library {
  // Equivalence may compare all pairs twice.
  const pairs =
    (factor: number): Estimate =>
    ([a, b]) => ({
      cost: plus(unitCost, times(exactly(factor), times(a?.size ?? unknownSize, b?.size ?? unknownSize))),
    })
  const form = (name: string, call: (a: ListValue, b: ListValue) => boolean, factor = 1): FunctionDeclaration => ({
    name: `sets.${name}`,
    overloads: [
      globalForm(`list_sets_${name}_list`, [listT, listT], bool, call, {
        cost: (a, b) => {
          const pairs = 1 + factor * sizeOf(a) * sizeOf(b)
          return pairs > pairsMax ? pairs : pairs + deepExtra(a, b) + deepExtra(b, a)
        },
        estimate: pairs(factor),
      }),
    ],
  })
  return {
    name: 'sets',
    functions: [
      form('contains', contains),
      form('equivalent', (a, b) => contains(a, b) && contains(b, a), 2),
      form('intersects', (a, b) => some(a, (item) => indexOf(b, item) >= 0)),
    ],
  }
}

/** More than any budget: deeper levels don't matter then. */
const pairsMax = 1e8

/** Lists and maps as elements are compared as a whole, with each element of the other list. */
function deepExtra(list: Value, other: Value): number {
  const [deep, size] = [deepTraversal(list), sizeOf(list)]
  return deep > 10 * size + 100 ? Math.floor(((deep - size) * sizeOf(other)) / 100) : 0
}

function contains(list: ListValue, sub: ListValue): boolean {
  return !some(sub, (item) => indexOf(list, item) < 0)
}

function some(list: ListValue, test: (item: Value) => boolean): boolean {
  for (let at = 0; at < list.size; at++) if (test(list.at(at))) return true
  return false
}
