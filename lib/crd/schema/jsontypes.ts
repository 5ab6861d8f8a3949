import { isRecord } from '../../base/index.ts'

/** Whether a value has a type of JSON schema. */
export function fits(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isRecord(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return isInteger(value)
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint'
    default:
      return typeof value === type
  }
}

/**
 * 1.0 is an integer. Beyond 2^53 only integers in plain notation that fit into 64 bits are (as bigint); 1e16 and longer
 * ones are no integers to the stock server.
 */
export function isInteger(value: unknown): boolean {
  return typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value)
}

/** A value's type in JSON schema. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'bigint' || typeof value === 'number') return isInteger(value) ? 'integer' : 'number'
  return typeof value
}

/** The number of a string's characters by JSON schema. */
export function codePoints(text: string): number {
  let count = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) count--
  }
  return count
}

/** Fractions that binary numbers can't represent exactly must not matter: 0.3 is a multiple of 0.1. */
export function isMultiple(value: number, factor: number): boolean {
  if (factor <= 0) return true
  const times = value / factor
  return Number.isInteger(times) || Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times))
}
