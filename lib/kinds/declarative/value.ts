import { isRecord } from '../../base/index.ts'
import type { Field } from '../../schema/index.ts'

/** Questions that rules ask of any value of an object. */

/**
 * True when the field is not set: a pointer only when it is missing, others also with their zero value (0, '', false,
 * no items). A struct that is not a pointer is always set.
 */
export function isAbsent({ type, pointer }: Field, value: unknown): boolean {
  if (type.is === 'list') return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
  if (type.is === 'map') return value === undefined || value === null || (isRecord(value) && isEmpty(value))
  if (type.is === 'struct' && !pointer) return false
  if (value === undefined || value === null) return true
  return !pointer && (value === '' || value === false || (isNumber(value) && Number(value) === 0))
}

function isEmpty(record: Readonly<Record<string, unknown>>): boolean {
  for (const _ in record) return false
  return true
}

export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}
