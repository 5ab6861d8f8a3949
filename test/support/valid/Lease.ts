import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: {
    holderIdentity: 'h',
    leaseDurationSeconds: 10,
    leaseTransitions: 1,
    acquireTime: '2020-01-01T00:00:00.000000Z',
  },
}
