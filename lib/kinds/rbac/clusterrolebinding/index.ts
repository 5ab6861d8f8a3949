import type { KindDefinition } from '../../definition.ts'
import { nameRules } from '../../meta/names.ts'
import { bindingColumns, bindingStrategy, defaultBinding } from '../bindings.ts'

export const clusterRoleBinding: KindDefinition = {
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRoleBinding',
  nameRule: nameRules.pathSegment,
  defaults: { v1: defaultBinding },
  strategy: bindingStrategy({ namespaced: false, roleKinds: ['ClusterRole'] }),
  columns: bindingColumns,
}
