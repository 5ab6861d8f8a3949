import type { Column } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { count } from '../configmap/columns.ts'

export const secretColumns: readonly Column[] = [
  nameColumn,
  textColumn('Type', 'What the secret is for, which decides the entries that it must have.', (object) =>
    String(object.type ?? ''),
  ),
  textColumn('Data', 'Number of entries.', (object) => count(object, 'data')),
  ageColumn,
]
