import { isRecord } from '../../base/index.ts'
import type { Field } from '../../schema/index.ts'

/** What rules ask of any value that an object may hold. */

/**
 * True when nothing is said of the field: of pointers only when there is nothing, of others also when it is what a value
 * has by itself (0, '', false, no items). A struct that is no pointer is always there.
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
