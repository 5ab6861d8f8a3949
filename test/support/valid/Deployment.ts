import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: {
    replicas: 1,
    minReadySeconds: 1,
    revisionHistoryLimit: 1,
    progressDeadlineSeconds: 100,
    selector: { matchLabels: { a: 'b' } },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: '25%' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
}
