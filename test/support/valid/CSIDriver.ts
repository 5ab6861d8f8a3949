import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSIDriver',
  metadata: { name: 'vv7-x' },
  spec: {
    attachRequired: true,
    fsGroupPolicy: 'File',
    nodeAllocatableUpdatePeriodSeconds: 10,
    tokenRequests: [{ audience: 'a', expirationSeconds: 3600 }],
    volumeLifecycleModes: ['Persistent'],
  },
}
