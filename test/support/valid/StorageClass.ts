import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'vv7-x' },
  provisioner: 'a.b/c',
  parameters: { k: 'v' },
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
  allowedTopologies: [{ matchLabelExpressions: [{ key: 'k', values: ['v'] }] }],
}
