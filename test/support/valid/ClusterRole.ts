import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'vv7-x' },
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
  rules: [
    { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
    { nonResourceURLs: ['/healthz'], verbs: ['get'] },
  ],
}
