import { unseen } from './cost.ts'
import { CelError } from './errors.ts'
import {
  Bytes,
  Double,
  Duration,
  ListValue,
  MapValue,
  normalizeInt,
  ObjectValue,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './values.ts'

/** Counts the elements that comparisons visit: shared parts make values that are endless to walk. */
export class VisitMeter {
  visits = 0

  visit(): void {
    if (++this.visits > visitsMax) throw new CelError('budget', 'operation cancelled: actual cost limit exceeded')
  }

  /** The cost of visits beyond the cost by the sizes of the compared values. */
  get cost(): number {
    return unseen(this.visits)
  }
}

const visitsMax = 2_000_000

/** CEL equality: numbers compare across their types, values of other differing types are unequal. */
export function equals(a: Value, b: Value, meter?: VisitMeter): boolean {
  if (a === b) return true
  switch (typeof a) {
    case 'number':
    case 'bigint':
      return b instanceof Double ? sameNumber(a, b.value) : b instanceof Uint && a === b.value
    case 'string':
    case 'boolean':
      return false
    default:
      break
  }
  if (a === null || b === null) return false
  if (a instanceof Double) return numberOf(b) !== undefined && sameNumber(numberOf(b) ?? Number.NaN, a.value)
  if (a instanceof Uint) {
    if (b instanceof Double) return sameNumber(a.value, b.value)
    return a.value === (b instanceof Uint ? b.value : b)
  }
  if (typeof b !== 'object') return false
  if (a instanceof ListValue) return b instanceof ListValue && equalLists(a, b, meter ?? new VisitMeter())
  if (a instanceof MapValue) return b instanceof MapValue && equalMaps(a, b, meter ?? new VisitMeter())
  if (a instanceof ObjectValue) return b instanceof ObjectValue && equalObjects(a, b, meter ?? new VisitMeter())
  if (a instanceof Timestamp) return b instanceof Timestamp && a.seconds === b.seconds && a.nanos === b.nanos
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos
  if (a instanceof Bytes) return b instanceof Bytes && Buffer.compare(a.value, b.value) === 0
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name
  if (a instanceof Optional) return b instanceof Optional && equalOptionals(a, b, meter)
  return a instanceof Opaque && b instanceof Opaque && a.typeName === b.typeName && a.equals(b)
}

function numberOf(value: Value): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (value instanceof Uint || value instanceof Double) return value.value
  return undefined
}

/** Ints are converted to doubles for a comparison with one, losing precision. */
function sameNumber(a: number | bigint, b: number): boolean {
  return Number(a) === b
}

function equalLists(a: ListValue, b: ListValue, meter: VisitMeter): boolean {
  if (a.size !== b.size) return false
  const same = a.sameElements(b, (left, right) => {
    meter.visit()
    return equals(left, right, meter)
  })
  if (same !== undefined) return same
  for (let index = 0; index < a.size; index++) {
    meter.visit()
    if (!equals(a.at(index), b.at(index), meter)) return false
  }
  return true
}

function equalMaps(a: MapValue, b: MapValue, meter: VisitMeter): boolean {
  if (a.size !== b.size) return false
  for (const key of a.keys()) {
    meter.visit()
    const other = b.get(key)
    if (other === undefined || !equals(a.get(key) ?? null, other, meter)) return false
  }
  return true
}

function equalObjects(a: ObjectValue, b: ObjectValue, meter: VisitMeter): boolean {
  if (a.typeName !== b.typeName) return false
  const names = a.names()
  if (names.length !== b.names().length) return false
  for (const name of names) {
    meter.visit()
    const [left, right] = [a.get(name), b.get(name)]
    if (left === undefined || right === undefined || !equals(left, right, meter)) return false
  }
  return a.sameUnreadable(b, () => meter.visit())
}

function equalOptionals(a: Optional, b: Optional, meter?: VisitMeter): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value
  return equals(a.value, b.value, meter)
}

/** Order: negative, 0, positive; NaN when unordered (a double that is NaN); undefined when the types have no order. */
export function order(a: Value, b: Value): number | undefined {
  if (typeof a === 'string') return typeof b === 'string' ? compareText(a, b) : undefined
  const left = numberOf(a)
  const right = numberOf(b)
  if (left !== undefined && right !== undefined) {
    return a instanceof Double || b instanceof Double ? signOf(Number(left), Number(right)) : signOf(left, right)
  }
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  if (a instanceof Timestamp && b instanceof Timestamp) return a.seconds - b.seconds || a.nanos - b.nanos
  if (a instanceof Duration && b instanceof Duration) return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0
  if (a instanceof Bytes && b instanceof Bytes) return Buffer.compare(a.value, b.value)
  return undefined
}

function signOf(left: number | bigint, right: number | bigint): number {
  if (left < right) return -1
  if (left > right) return 1
  return Number.isNaN(left) || Number.isNaN(right) ? Number.NaN : 0
}

/** By code points: UTF-16 order differs beyond U+FFFF. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const [x, y] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (x === y) continue
    const [xHigh, yHigh] = [x >= 0xd800 && x <= 0xdfff, y >= 0xd800 && y <= 0xdfff]
    if (xHigh !== yHigh) return xHigh ? 1 : -1
    return x - y
  }
  return a.length - b.length
}

/** A double that is a whole number within int64, as an int. */
export function wholeNumber(value: number): number | bigint | undefined {
  if (!Number.isInteger(value)) return undefined
  return Number.isSafeInteger(value) ? value + 0 : normalizeInt(BigInt(value))
}
