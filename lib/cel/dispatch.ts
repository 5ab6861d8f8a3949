import { CelError } from './errors.ts'
import type { Evaluate, Frame } from './frame.ts'
import { matcher, type Overload } from './function.ts'
import { costs } from './cost.ts'
import type { Value } from './values.ts'

interface Form {
  readonly overload: Overload
  readonly matches: readonly ((value: Value) => boolean)[]
}

const none: Value = null

/** Calls the form whose argument types the values have; charges what it costs before it runs. */
export function dispatch(overloads: readonly Overload[], args: readonly Evaluate[]): Evaluate {
  const forms = overloads.map((overload) => ({ overload, matches: overload.args.map(matcher) }))
  const [first, second] = args
  const [form] = forms
  if (form && first && forms.length === 1 && args.length === 1) return unary(form, first)
  if (form && first && second && forms.length === 1 && args.length === 2) return binary(form, first, second)
  return (frame) => {
    const [a = none, b = none, c = none, d = none] = args.map((arg) => arg(frame))
    const values = [a, b, c, d]
    for (const candidate of forms) {
      if (candidate.matches.every((matches, index) => matches(values[index] ?? none))) {
        return run(candidate.overload, frame, a, b, c, d)
      }
    }
    throw new CelError('noSuchOverload', 'no such overload')
  }
}

function unary(form: Form, arg: Evaluate): Evaluate {
  const [matches = anything] = form.matches
  return (frame) => {
    const a = arg(frame)
    if (!matches(a)) throw new CelError('noSuchOverload', 'no such overload')
    return run(form.overload, frame, a, none, none, none)
  }
}

function binary(form: Form, left: Evaluate, right: Evaluate): Evaluate {
  const [matchesLeft = anything, matchesRight = anything] = form.matches
  return (frame) => {
    const a = left(frame)
    const b = right(frame)
    if (!matchesLeft(a) || !matchesRight(b)) throw new CelError('noSuchOverload', 'no such overload')
    return run(form.overload, frame, a, b, none, none)
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
