import { CelError, noSuchOverload, overflow } from './errors.ts'
import { addDuration, checkDuration, subtractTimestamps } from './time.ts'
import { Bytes, Double, Duration, ListValue, normalizeInt, Timestamp, Uint, type Value } from './values.ts'

const int64Max = 0x7fffffffffffffffn
const int64Min = -0x8000000000000000n
const uint64Max = 0xffffffffffffffffn

type Int = number | bigint

/** An int64 from a bigint; throws overflow. */
export function int64(value: bigint): Int {
  return value > int64Max || value < int64Min ? overflow('integer') : normalizeInt(value)
}

/** A uint64 from a bigint; throws overflow. */
export function uint64(value: bigint): Uint {
  return value > uint64Max || value < 0n ? overflow('unsigned integer') : new Uint(normalizeInt(value))
}

function isInt(value: Value): value is Int {
  return typeof value === 'number' || typeof value === 'bigint'
}

export function add(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    return Number.isSafeInteger(sum) ? sum : int64(BigInt(a) + BigInt(b))
  }
  if (typeof a === 'string' && typeof b === 'string') return a + b
  if (isInt(a) && isInt(b)) return int64(BigInt(a) + BigInt(b))
  if (a instanceof Double && b instanceof Double) return new Double(a.value + b.value)
  if (a instanceof ListValue && b instanceof ListValue) {
    if (a.size === 0) return b
    return b.size === 0 ? a : a.plus(b)
  }
  if (a instanceof Uint && b instanceof Uint) return uint64(BigInt(a.value) + BigInt(b.value))
  if (a instanceof Timestamp && b instanceof Duration) return addDuration(a, b.nanos)
  if (a instanceof Duration && b instanceof Timestamp) return addDuration(b, a.nanos)
  if (a instanceof Duration && b instanceof Duration) return checkDuration(a.nanos + b.nanos)
  if (a instanceof Bytes && b instanceof Bytes) return new Bytes(Buffer.concat([a.value, b.value]))
  return noSuchOverload()
}

export function subtract(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b
    return Number.isSafeInteger(difference) ? difference : int64(BigInt(a) - BigInt(b))
  }
  if (isInt(a) && isInt(b)) return int64(BigInt(a) - BigInt(b))
  if (a instanceof Double && b instanceof Double) return new Double(a.value - b.value)
  if (a instanceof Uint && b instanceof Uint) return uint64(BigInt(a.value) - BigInt(b.value))
  if (a instanceof Timestamp && b instanceof Duration) return addDuration(a, -b.nanos)
  if (a instanceof Timestamp && b instanceof Timestamp) return subtractTimestamps(a, b)
  if (a instanceof Duration && b instanceof Duration) return checkDuration(a.nanos - b.nanos)
  return noSuchOverload()
}

export function multiply(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b
    // + 0: ints have no negative zero.
    return Number.isSafeInteger(product) ? product + 0 : int64(BigInt(a) * BigInt(b))
  }
  if (isInt(a) && isInt(b)) return int64(BigInt(a) * BigInt(b))
  if (a instanceof Double && b instanceof Double) return new Double(a.value * b.value)
  if (a instanceof Uint && b instanceof Uint) return uint64(BigInt(a.value) * BigInt(b.value))
  return noSuchOverload()
}

export function divide(a: Value, b: Value): Value {
  if (a instanceof Double && b instanceof Double) return new Double(a.value / b.value)
  if (isInt(a) && isInt(b)) {
    if (b === 0) throw new CelError('divisionByZero', 'division by zero')
    if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0
    return int64(BigInt(a) / BigInt(b))
  }
  if (a instanceof Uint && b instanceof Uint) {
    if (b.value === 0) throw new CelError('divisionByZero', 'division by zero')
    return uint64(BigInt(a.value) / BigInt(b.value))
  }
  return noSuchOverload()
}

export function modulo(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) {
    if (b === 0) throw new CelError('divisionByZero', 'modulus by zero')
    if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0
    if (a === normalizeInt(int64Min) && b === -1) return overflow('integer')
    return int64(BigInt(a) % BigInt(b))
  }
  if (a instanceof Uint && b instanceof Uint) {
    if (b.value === 0) throw new CelError('divisionByZero', 'modulus by zero')
    return uint64(BigInt(a.value) % BigInt(b.value))
  }
  return noSuchOverload()
}

export function negate(a: Value): Value {
  if (typeof a === 'number') return 0 - a
  if (typeof a === 'bigint') return int64(-a)
  if (a instanceof Double) return new Double(-a.value)
  return noSuchOverload()
}
