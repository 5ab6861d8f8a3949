import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: {
    podSelector: { matchLabels: { a: 'b' } },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [
      {
        ports: [{ protocol: 'TCP', port: 80, endPort: 90 }],
        from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }],
      },
    ],
    egress: [{ to: [{ podSelector: {} }] }],
  },
}
