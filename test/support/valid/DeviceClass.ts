import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  metadata: { name: 'vv7-x' },
  spec: {
    selectors: [{ cel: { expression: 'true' } }],
    config: [{ opaque: { driver: 'd.x', parameters: { a: 1 } } }],
    extendedResourceName: 'e.io/x',
  },
}
