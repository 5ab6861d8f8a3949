import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: {
    limits: [
      {
        type: 'Container',
        max: { cpu: '4' },
        min: { cpu: '1' },
        default: { cpu: '2' },
        defaultRequest: { cpu: '1' },
        maxLimitRequestRatio: { cpu: '4' },
      },
    ],
  },
}
