import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  metadata: { name: 'vv7-x' },
  spec: {
    driver: 'd.x',
    nodeName: 'n',
    pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
    devices: [
      {
        name: 'd',
        attributes: { a: { string: 's' } },
        capacity: { m: { value: '1' } },
        taints: [{ key: 'k', effect: 'NoSchedule', timeAdded: '2026-11-21T06:32:09Z' }],
      },
    ],
  },
}
