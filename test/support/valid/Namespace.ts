import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'vv7-x' },
  spec: { finalizers: ['kubernetes'] },
}
