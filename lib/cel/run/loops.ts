import { keyText, literalKey } from './access.ts'
import { costs } from './cost.ts'
import { CelError, isAbsorbed, noSuchOverload } from './errors.ts'
import type { Evaluate, Frame } from './frame.ts'
import { ArrayList, asMap, EntryMap, ListValue, MapValue, type Value } from './values.ts'

/** Compiled parts of a loop, and the indexes of its variables. */
export interface LoopParts {
  readonly range: Evaluate
  readonly variable: number
  readonly variable2: number | undefined
}

type Body = (frame: Frame) => boolean

/** Sets the variables for each element in turn, until `body` returns false; true: with elements left. */
function each(frame: Frame, { range, variable, variable2 }: LoopParts, body: Body): boolean {
  const over = range(frame)
  const { locals } = frame
  if (over instanceof ListValue) {
    for (let index = 0; index < over.size; index++) {
      if (variable2 === undefined) locals[variable] = over.at(index)
      else {
        locals[variable] = index
        locals[variable2] = over.at(index)
      }
      if (!body(frame)) return index + 1 < over.size
    }
    return false
  }
  const map = asMap(over) ?? noSuchOverload()
  let left = map.size
  for (const key of map.keys()) {
    left--
    locals[variable] = key
    if (variable2 !== undefined) locals[variable2] = map.get(key) ?? null
    if (!body(frame)) return left > 0
  }
  return false
}

/** Costs of the expansion of a loop besides the macro's own arguments; see macros.ts for the expansion. */
const overhead = Object.freeze({
  /** `@not_strictly_false(@result)`, then `@result &&`. */
  all: 2 * costs.access + costs.call,
  /** `@not_strictly_false(!@result)`, then `@result ||`. */
  exists: 2 * costs.access + 2 * costs.call,
  /** `@result + 1`, or `@result`. */
  counted: costs.access + costs.call,
  /** `@result + [element]`. */
  appended: costs.access + costs.list + costs.call,
  inserted: costs.access + costs.call,
  /** The stock server charges nothing for a skipped element; here every iteration costs. */
  passed: 1,
  result: costs.access,
})

/** Costs of `@not_strictly_false(@result)` and of `@not_strictly_false(!@result)`. */
const conditions = Object.freeze({ all: costs.access + costs.call, exists: costs.access + 2 * costs.call })

/** all and exists: a deciding element outweighs failed elements; otherwise the first failure is the result. */
export function quantifier(parts: LoopParts, test: Evaluate, kind: 'all' | 'exists'): Evaluate {
  const decisive = kind === 'exists'
  const each1 = overhead[kind]
  return (frame) => {
    let outcome = !decisive
    let failure: CelError | undefined
    const isCut = each(frame, parts, () => {
      frame.charge(each1)
      try {
        const value = test(frame)
        if (typeof value !== 'boolean') noSuchOverload()
        if (value === decisive) outcome = decisive
      } catch (error) {
        if (!isAbsorbed(error)) throw error
        failure ??= error
      }
      return outcome !== decisive
    })
    // The condition is evaluated once more before the next element.
    frame.charge(isCut ? overhead.result + conditions[kind] : overhead.result)
    if (outcome !== decisive && failure) throw failure
    return outcome
  }
}

/** exists_one: any failure fails it. */
export function exactlyOne(parts: LoopParts, test: Evaluate): Evaluate {
  return (frame) => {
    let count = 0
    each(frame, parts, () => {
      const before = frame.cost
      const found = condition(test(frame))
      frame.charge(found ? overhead.counted : passedCost(frame, before))
      if (found) count++
      return true
    })
    frame.charge(overhead.result + costs.call)
    return count === 1
  }
}

/** map, filter, transformList. */
export function collected(parts: LoopParts, keep: Evaluate | undefined, element: Evaluate): Evaluate {
  return (frame) => {
    const items: Value[] = []
    each(frame, parts, () => {
      const before = frame.cost
      if (keep && !condition(keep(frame))) frame.charge(passedCost(frame, before))
      else {
        frame.charge(overhead.appended)
        items.push(element(frame))
      }
      return true
    })
    frame.charge(overhead.result)
    return new ArrayList(items)
  }
}

/** transformMap (with `key`) and transformMapEntry. */
export function inserted(
  parts: LoopParts,
  keep: Evaluate | undefined,
  key: Evaluate | undefined,
  value: Evaluate,
): Evaluate {
  return (frame) => {
    const map = new EntryMap([])
    const add = (at: Value, given: Value): void => {
      if (!map.add(literalKey(at), given)) {
        throw new CelError('invalidArgument', `insert failed: key ${keyText(at)} already exists`)
      }
    }
    each(frame, parts, () => {
      const before = frame.cost
      if (keep && !condition(keep(frame))) {
        frame.charge(passedCost(frame, before))
        return true
      }
      frame.charge(overhead.inserted)
      if (key) {
        add(key(frame), value(frame))
        return true
      }
      const entries = value(frame)
      if (!(entries instanceof MapValue)) return noSuchOverload()
      for (const at of entries.keys()) add(at, entries.get(at) ?? null)
      return true
    })
    frame.charge(overhead.result)
    return map
  }
}

function passedCost(frame: Frame, before: number): number {
  return frame.cost > before ? 0 : overhead.passed
}

function condition(value: Value): boolean {
  return typeof value === 'boolean' ? value : noSuchOverload()
}
