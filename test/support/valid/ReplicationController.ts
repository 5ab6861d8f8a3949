import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'v1',
  kind: 'ReplicationController',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: {
    replicas: 1,
    minReadySeconds: 1,
    selector: { a: 'b' },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
}
