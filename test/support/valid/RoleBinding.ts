import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: 'vv7-x', namespace: 'default' },
  subjects: [
    { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u' },
    { kind: 'ServiceAccount', name: 'sa', namespace: 'default' },
  ],
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
}
