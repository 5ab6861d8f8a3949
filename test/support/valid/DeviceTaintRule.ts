import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'resource.k8s.io/v1alpha3',
  kind: 'DeviceTaintRule',
  metadata: { name: 'vv7-x' },
  spec: {
    deviceSelector: { driver: 'd.example.com', pool: 'p', device: 'd' },
    taint: { key: 'k', value: 'v', effect: 'NoExecute' },
  },
}
