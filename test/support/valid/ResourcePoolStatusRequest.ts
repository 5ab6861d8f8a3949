import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'resource.k8s.io/v1alpha3',
  kind: 'ResourcePoolStatusRequest',
  metadata: { name: 'vv7-x' },
  spec: { driver: 'd.example.com', poolName: 'p', limit: 10 },
}
