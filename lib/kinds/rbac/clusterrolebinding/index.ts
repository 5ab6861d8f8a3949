import type { KindDefinition } from '../../definition.ts'
import { nameRules } from '../../meta/names.ts'
import { bindingColumns, bindingStrategy, defaultBinding } from '../bindings.ts'
import { bindingFromV1alpha1 } from '../convert.ts'

export const clusterRoleBinding: KindDefinition = {
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRoleBinding',
  nameRule: nameRules.pathSegment,
  defaults: { v1: defaultBinding },
  convert: { v1alpha1: { toHub: bindingFromV1alpha1 } },
  strategy: bindingStrategy({ namespaced: false, roleKinds: ['ClusterRole'] }),
  columns: bindingColumns,
}
