import { operators } from '../syntax/ast.ts'
import { add, divide, modulo, multiply, subtract } from './arithmetic.ts'
import { equals, order, VisitMeter } from './compare.ts'
import { comparison, costs, sizeOf, traversal, unseen } from './cost.ts'
import { type CelError, isAbsorbed, noSuchOverload } from './errors.ts'
import type { Evaluate } from './frame.ts'
import { asMap, Bytes, ListValue, Optional, type Value } from './values.ts'

/** Arithmetic operators. */
export const arithmetic: Readonly<Record<string, (a: Value, b: Value) => Value>> = {
  [operators.add]: add,
  [operators.subtract]: subtract,
  [operators.multiply]: multiply,
  [operators.divide]: divide,
  [operators.modulo]: modulo,
}

/** Whether the result of a comparison satisfies an operator. */
export const orderings: Readonly<Record<string, (order: number) => boolean>> = {
  [operators.less]: (sign) => sign < 0,
  [operators.lessEquals]: (sign) => sign <= 0,
  [operators.greater]: (sign) => sign > 0,
  [operators.greaterEquals]: (sign) => sign >= 0,
}

/**
 * `yesFree` and `noFree`: the cost of reading a variable at the beginning of a branch, which the stock server forgets.
 */
export function choice(condition: Evaluate, yes: Evaluate, no: Evaluate, yesFree: number, noFree: number): Evaluate {
  return (frame) => {
    const value = condition(frame)
    if (value === true) {
      frame.cost -= yesFree
      return yes(frame)
    }
    if (value !== false) return noSuchOverload()
    frame.cost -= noFree
    return no(frame)
  }
}

/** `a.?b` and `a[?b]`: absent values cost nothing. */
export function optionalAccess(
  compute: (a: Value, b: Value) => Optional,
  left: Evaluate,
  right: Evaluate,
  rootCost: number,
): Evaluate {
  return (frame) => {
    const found = compute(left(frame), right(frame))
    frame.cost += rootCost
    if (found.value !== undefined) frame.cost += costs.call
    return found
  }
}

export function unaryOperator(compute: (value: Value) => Value, operand: Evaluate): Evaluate {
  return (frame) => {
    frame.cost += costs.call
    return compute(operand(frame))
  }
}

export function charged(
  compute: (a: Value, b: Value) => Value,
  left: Evaluate,
  right: Evaluate,
  cost: number = costs.call,
): Evaluate {
  return (frame) => {
    frame.cost += cost
    const a = left(frame)
    return compute(a, right(frame))
  }
}

export function binaryOperator(compute: (a: Value, b: Value) => Value, left: Evaluate, right: Evaluate): Evaluate {
  return (frame) => {
    const a = left(frame)
    const b = right(frame)
    if (typeof a === 'string' || a instanceof Bytes) frame.charge(traversal(sizeOf(a) + sizeOf(b)))
    else if (a instanceof ListValue && b instanceof ListValue) frame.charge(costs.call + unseen(a.plusVisits(b)))
    else frame.cost += costs.call
    return compute(a, b)
  }
}

export function orderingOperator(accept: (order: number) => boolean, left: Evaluate, right: Evaluate): Evaluate {
  return (frame) => {
    const a = left(frame)
    const b = right(frame)
    if (typeof a === 'number' && typeof b === 'number') {
      frame.cost += costs.call
      return accept(a - b)
    }
    frame.charge(typeof a === 'string' || a instanceof Bytes ? comparison(a, b) : costs.call)
    const sign = order(a, b)
    return sign === undefined ? noSuchOverload() : accept(sign)
  }
}

export function equality(left: Evaluate, right: Evaluate, wanted: boolean): Evaluate {
  return (frame) => {
    const a = left(frame)
    const b = right(frame)
    if (typeof a === 'number') {
      frame.cost += costs.call
      return equals(a, b) === wanted
    }
    frame.charge(comparison(a, b))
    const meter = new VisitMeter()
    const equal = equals(a, b, meter)
    frame.charge(meter.cost)
    return equal === wanted
  }
}

/** && and ||: the `decisive` value of one side outweighs the other side, even a failure. */
export function logical(left: Evaluate, right: Evaluate, decisive: boolean): Evaluate {
  return (frame) => {
    let failure: CelError | undefined
    try {
      const value = left(frame)
      if (value === decisive) return decisive
      if (value !== !decisive) noSuchOverload()
    } catch (error) {
      if (!isAbsorbed(error)) throw error
      failure = error
    }
    const value = right(frame)
    if (value === decisive) return decisive
    if (failure) throw failure
    return value === !decisive ? value : noSuchOverload()
  }
}

export function membership(left: Evaluate, right: Evaluate): Evaluate {
  return (frame) => {
    const value = left(frame)
    const container = right(frame)
    frame.charge(container instanceof ListValue ? container.size : costs.call)
    const meter = new VisitMeter()
    const found = contains(container, value, meter)
    frame.charge(meter.cost)
    return found
  }
}

function contains(container: Value, value: Value, meter: VisitMeter): boolean {
  if (container instanceof ListValue) {
    for (let at = 0; at < container.size; at++) if (equals(container.at(at), value, meter)) return true
    return false
  }
  const map = asMap(container)
  return map ? map.get(value) !== undefined : noSuchOverload()
}

/** or() and orValue(), which cost nothing themselves: the right side is only computed for an empty left one. */
export function firstValue(left: Evaluate, right: Evaluate, keepOptional: boolean): Evaluate {
  return (frame) => {
    const value = left(frame)
    if (!(value instanceof Optional)) return noSuchOverload()
    if (value.value === undefined) return right(frame)
    return keepOptional ? value : value.value
  }
}
