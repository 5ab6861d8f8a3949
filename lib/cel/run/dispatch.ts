import { matcher, type Overload } from '../check/function.ts'
import { costs } from './cost.ts'
import { CelError } from './errors.ts'
import type { Evaluate, Frame } from './frame.ts'
import type { Value } from './values.ts'

interface TypedOverload {
  readonly overload: Overload
  readonly matches: readonly ((value: Value) => boolean)[]
}

const none: Value = null

/** Calls the overload whose argument types match the values; charges its cost before it runs. */
export function dispatch(overloads: readonly Overload[], args: readonly Evaluate[]): Evaluate {
  const candidates = overloads.map((overload) => ({ overload, matches: overload.args.map(matcher) }))
  const [first, second] = args
  const [only] = candidates
  if (only && first && candidates.length === 1 && args.length === 1) return unary(only, first)
  if (only && first && second && candidates.length === 1 && args.length === 2) return binary(only, first, second)
  return (frame) => {
    const [a = none, b = none, c = none, d = none] = args.map((arg) => arg(frame))
    const values = [a, b, c, d]
    for (const candidate of candidates) {
      if (candidate.matches.every((matches, index) => matches(values[index] ?? none))) {
        return run(candidate.overload, frame, a, b, c, d)
      }
    }
    throw new CelError('noSuchOverload', 'no such overload')
  }
}

function unary(candidate: TypedOverload, arg: Evaluate): Evaluate {
  const [matches = anything] = candidate.matches
  return (frame) => {
    const a = arg(frame)
    if (!matches(a)) throw new CelError('noSuchOverload', 'no such overload')
    return run(candidate.overload, frame, a, none, none, none)
  }
}

function binary(candidate: TypedOverload, left: Evaluate, right: Evaluate): Evaluate {
  const [matchesLeft = anything, matchesRight = anything] = candidate.matches
  return (frame) => {
    const a = left(frame)
    const b = right(frame)
    if (!matchesLeft(a) || !matchesRight(b)) throw new CelError('noSuchOverload', 'no such overload')
    return run(candidate.overload, frame, a, b, none, none)
  }
}

function anything(): boolean {
  return true
}

function run(overload: Overload, frame: Frame, a: Value, b: Value, c: Value, d: Value): Value {
  if (overload.cost) frame.charge(overload.cost(a, b, c, d, frame))
  else if (!overload.resultCost) frame.charge(costs.call)
  const result = overload.call(a, b, c, d)
  if (overload.resultCost) frame.charge(overload.resultCost(result))
  return result
}
