import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSIStorageCapacity',
  metadata: { name: 'vv7-x', namespace: 'default' },
  storageClassName: 's',
  capacity: '1Gi',
  maximumVolumeSize: '1Gi',
  nodeTopology: { matchLabels: { a: 'b' } },
}
