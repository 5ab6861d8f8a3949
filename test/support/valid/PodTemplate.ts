import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'v1',
  kind: 'PodTemplate',
  metadata: { name: 'vv7-x', namespace: 'default' },
  template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
}
