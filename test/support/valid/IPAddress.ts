import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IPAddress',
  metadata: { name: '10.0.0.99' },
  spec: { parentRef: { group: '', resource: 'services', namespace: 'n', name: 's' } },
}
