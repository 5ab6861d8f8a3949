import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'vv7-x' },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: 'Retain',
    storageClassName: 's',
    volumeMode: 'Filesystem',
    volumeAttributesClassName: 'vac',
    csi: { driver: 'd.x', volumeHandle: 'h', fsType: 'ext4', nodeStageSecretRef: { name: 'a', namespace: 'b' } },
    nodeAffinity: {
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'k', operator: 'In', values: ['v'] }] }] },
    },
  },
}
