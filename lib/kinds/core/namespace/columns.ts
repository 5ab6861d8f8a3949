import type { Column } from '../../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import type { NamespaceStatus } from './strategy.ts'

export const namespaceColumns: readonly Column[] = [
  nameColumn,
  textColumn(
    'Status',
    'Active, or Terminating while its content is being removed.',
    (object) => (object.status as NamespaceStatus | undefined)?.phase ?? '',
  ),
  ageColumn,
]
