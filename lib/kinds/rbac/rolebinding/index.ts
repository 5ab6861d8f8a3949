import type { KindDefinition } from '../../definition.ts'
import { nameRules } from '../../meta/names.ts'
import { bindingColumns, bindingStrategy, defaultBinding } from '../bindings.ts'

export const roleBinding: KindDefinition = {
  group: 'rbac.authorization.k8s.io',
  kind: 'RoleBinding',
  nameRule: nameRules.pathSegment,
  defaults: { v1: defaultBinding },
  strategy: bindingStrategy({ namespaced: true, roleKinds: ['Role', 'ClusterRole'] }),
  columns: bindingColumns,
}
