import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'vv7-x' },
  spec: {
    podCIDR: '10.1.0.0/24',
    podCIDRs: ['10.1.0.0/24'],
    providerID: 'p',
    taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }],
  },
  status: { capacity: { cpu: '1' } },
}
