import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    selector: { matchLabels: { a: 'b' } },
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 's',
    volumeMode: 'Filesystem',
    volumeAttributesClassName: 'vac',
    volumeName: 'v',
    dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'src' },
  },
}
