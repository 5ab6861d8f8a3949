import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'vv7-x', namespace: 'default' },
  secrets: [{ name: 's' }],
}
