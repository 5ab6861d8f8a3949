import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'vv7-x', namespace: 'default' },
  involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
  reason: 'r',
  message: 'm',
  type: 'Normal',
  firstTimestamp: '2020-01-01T00:00:00Z',
}
