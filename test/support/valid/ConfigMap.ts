import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'vv7-x', namespace: 'default' },
  data: { a: 'b' },
  binaryData: { bin: 'AAA=' },
  immutable: true,
}
