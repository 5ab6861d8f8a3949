import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: {
    devices: {
      requests: [
        {
          name: 'r',
          exactly: {
            deviceClassName: 'c',
            allocationMode: 'ExactCount',
            count: 1,
            selectors: [{ cel: { expression: 'true' } }],
            tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }],
          },
        },
      ],
      constraints: [{ requests: ['r'], matchAttribute: 'd.x/a' }],
      config: [{ requests: ['r'], opaque: { driver: 'd.x', parameters: { a: 1 } } }],
    },
  },
}
