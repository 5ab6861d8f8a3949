import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: {
    replicas: 1,
    serviceName: 's',
    minReadySeconds: 1,
    selector: { matchLabels: { a: 'b' } },
    podManagementPolicy: 'Parallel',
    ordinals: { start: 1 },
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Delete' },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
    volumeClaimTemplates: [
      {
        metadata: { name: 'd' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
}
