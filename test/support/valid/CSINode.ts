import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSINode',
  metadata: { name: 'vv7-x' },
  spec: { drivers: [{ name: 'd.x', nodeID: 'n', topologyKeys: ['k'], allocatable: { count: 1 } }] },
}
