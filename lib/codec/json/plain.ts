import type { JsonValue } from '../../object/index.ts'
import { nestingMax } from '../error.ts'

/**
 * A deep copy of a value that JSON text would not change; undefined for one that it may: numbers that JSON writes
 * differently, ill-formed strings, maps, keys that are not plain, too deep a nesting.
 */
export function copyPlain(value: unknown, depth = 0): JsonValue | undefined {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? value : undefined
    case 'number':
      return isPlainNumber(value) ? value : undefined
    case 'boolean':
      return value
    case 'object':
      if (value === null) return value
      if (depth >= nestingMax) return undefined
      return Array.isArray(value) ? copyList(value, depth + 1) : copyRecord(value, depth + 1)
    default:
      return undefined
  }
}

/** JSON writes other numbers with an exponent, without a sign, or with more digits than they have. */
function isPlainNumber(value: number): boolean {
  if (Number.isSafeInteger(value)) return !Object.is(value, -0)
  return !Number.isInteger(value) && Math.abs(value) > 1e-6 && Math.abs(value) < 1e15
}

function copyList(items: readonly unknown[], depth: number): JsonValue[] | undefined {
  const copy: JsonValue[] = []
  for (const item of items) {
    const inner = copyPlain(item, depth)
    if (inner === undefined) return undefined
    copy.push(inner)
  }
  return copy
}

function copyRecord(record: object, depth: number): { [key: string]: JsonValue } | undefined {
  const prototype: unknown = Object.getPrototypeOf(record)
  if (prototype !== Object.prototype && prototype !== null) return undefined
  const copy: { [key: string]: JsonValue } = {}
  for (const key in record) {
    const value = (record as Record<string, unknown>)[key]
    if (value === undefined) continue
    const inner = key === '__proto__' || !key.isWellFormed() ? undefined : copyPlain(value, depth)
    if (inner === undefined) return undefined
    copy[key] = inner
  }
  return copy
}
