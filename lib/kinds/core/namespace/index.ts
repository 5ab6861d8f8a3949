import type { KindDefinition } from '../../definition.ts'
import { nameRules } from '../../meta/names.ts'
import { namespaceColumns } from './columns.ts'
import { defaultNamespace } from './defaults.ts'
import {
  type NamespaceStatus,
  namespaceFinalizeStrategy,
  namespaceStatusStrategy,
  namespaceStrategy,
} from './strategy.ts'

export const namespace: KindDefinition = {
  group: '',
  kind: 'Namespace',
  nameRule: nameRules.label,
  defaults: { v1: defaultNamespace },
  strategy: namespaceStrategy,
  subresources: { status: namespaceStatusStrategy, finalize: namespaceFinalizeStrategy },
  columns: namespaceColumns,
  defaultsMetadata: true,
  isOwnNamespace: true,
  selectableReads: ['status.phase'],
  selectableFields: { 'status.phase': (object) => (object.status as NamespaceStatus | undefined)?.phase ?? '' },
}
