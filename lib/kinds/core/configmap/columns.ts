import type { ApiObject } from '../../../object/index.ts'
import type { Column } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'

export const configMapColumns: readonly Column[] = [
  nameColumn,
  textColumn('Data', 'Number of entries.', (object) => count(object, 'data') + count(object, 'binaryData')),
  ageColumn,
]

/** Number of entries of a map field. */
export function count(object: ApiObject, field: string): number {
  const map = object[field]
  return typeof map === 'object' && map !== null ? Object.keys(map).length : 0
}
