import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { name: 'vv7-x', namespace: 'default' },
  subsets: [
    {
      addresses: [{ ip: '10.1.2.3', nodeName: 'n', hostname: 'h' }],
      notReadyAddresses: [{ ip: '10.1.2.4' }],
      ports: [{ name: 'p', port: 80, protocol: 'TCP' }],
    },
  ],
}
