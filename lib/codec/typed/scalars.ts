import {
  canonicalDuration,
  canonicalMicroTime,
  canonicalQuantity,
  canonicalTime,
  zeroTime,
} from '../../object/index.ts'
import { TypeMismatch } from './typemismatch.ts'

// Scalars whose JSON form needs more than a typeof. Each function gets the JSON value (never null) and answers its
// canonical form, undefined where that is zero and hence absent; a value that does not fit throws.

const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n
const zeroMicroTime = '0001-01-01T00:00:00.000000Z'

export function decodeTime(value: unknown): string | undefined {
  if (typeof value !== 'string') throw new TypeMismatch()
  const time = canonicalTime(value)
  return time === zeroTime ? undefined : time
}

export function decodeMicroTime(value: unknown): string | undefined {
  if (typeof value !== 'string') throw new TypeMismatch()
  const time = canonicalMicroTime(value)
  return time === zeroMicroTime ? undefined : time
}

export function decodeDuration(value: unknown): string {
  if (typeof value !== 'string') throw new TypeMismatch()
  return canonicalDuration(value)
}

/** Numbers without quotes are quantities, too. */
export function decodeQuantity(value: unknown): string {
  if (typeof value === 'string') return canonicalQuantity(value)
  if (typeof value === 'number' || typeof value === 'bigint') return canonicalQuantity(String(value))
  throw new TypeMismatch()
}

export function decodeInt64(value: unknown): number | bigint {
  if (Number.isSafeInteger(value)) return value as number
  if (typeof value === 'bigint' && value >= int64Min && value <= int64Max) return value
  throw new TypeMismatch()
}

export function decodeDouble(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  throw new TypeMismatch()
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Standard base64 with padding; newlines within are dropped. */
export function decodeBytes(value: unknown): string {
  if (typeof value !== 'string') throw new TypeMismatch()
  const text = value.includes('\n') || value.includes('\r') ? value.replaceAll(/[\r\n]/g, '') : value
  if (!base64.test(text)) throw new TypeMismatch()
  if (!text.endsWith('=')) return text
  // The text may set bits beyond the last byte; they are no part of the value.
  const last = text.slice(-4)
  return text.slice(0, -4) + Buffer.from(last, 'base64').toString('base64')
}
