import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: { name: 'vv7-x', namespace: 'default' },
  revision: 1,
  data: { a: 1 },
}
