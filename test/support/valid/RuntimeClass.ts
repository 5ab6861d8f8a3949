import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'node.k8s.io/v1',
  kind: 'RuntimeClass',
  metadata: { name: 'vv7-x' },
  handler: 'h',
  overhead: { podFixed: { cpu: '1m' } },
  scheduling: { nodeSelector: { k: 'v' }, tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }] },
}
