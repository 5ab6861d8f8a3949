import { type ApiObject, humanDuration, parseTime } from '../../object/index.ts'
import type { Column } from '../definition.ts'

export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique among its kind within the namespace.',
  priority: 0,
  cell: (object) => object.metadata.name ?? '',
}

export const ageColumn: Column = {
  name: 'Age',
  type: 'string',
  description: 'Time since the server created the object.',
  priority: 0,
  cell: (object, { nowMs }) => age(object.metadata.creationTimestamp, nowMs),
}

/** The fields that the default columns read. */
export const defaultColumnReads: readonly string[] = ['metadata.name', 'metadata.creationTimestamp']

/** Columns of kinds without their own. */
export const defaultColumns: readonly Column[] = [
  nameColumn,
  {
    name: 'Created At',
    type: 'date',
    description: 'Time at which the server created the object.',
    priority: 0,
    cell: (object) => object.metadata.creationTimestamp ?? null,
  },
]

/** A column of text, or of values that cells show unchanged: numbers and booleans. */
export function textColumn(
  name: string,
  description: string,
  cell: (object: ApiObject, row: { readonly nowMs: number }) => string | number | boolean,
  priority = 0,
): Column {
  return { name, type: 'string', description, priority, cell }
}

/** `3m`, or `<unknown>` without a time. */
export function age(time: string | null | undefined, nowMs: number): string {
  return time === undefined || time === null ? '<unknown>' : humanDuration(nowMs - parseTime(time))
}

/** A column of whole numbers; a missing one is 0. */
export function countColumn(
  name: string,
  description: string,
  cell: (object: ApiObject) => number | undefined,
  priority = 0,
): Column {
  return { name, type: 'integer', description, priority, cell: (object) => cell(object) ?? 0 }
}
