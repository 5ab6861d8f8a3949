import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name: 'vv7-x', namespace: 'default' },
  eventTime: '2020-01-01T00:00:00.000000Z',
  action: 'a',
  reason: 'r',
  note: 'n',
  type: 'Normal',
  reportingController: 'a.b/c',
  reportingInstance: 'i',
  regarding: { kind: 'Pod', namespace: 'default', name: 'p' },
  series: { count: 2, lastObservedTime: '2020-01-01T00:00:00.000000Z' },
}
