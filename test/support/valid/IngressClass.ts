import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  metadata: { name: 'vv7-x' },
  spec: {
    controller: 'a.b/c',
    parameters: { apiGroup: 'g.io', kind: 'K', name: 'n', scope: 'Namespace', namespace: 'default' },
  },
}
