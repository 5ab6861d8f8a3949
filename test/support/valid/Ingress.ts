import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: {
    ingressClassName: 'c',
    defaultBackend: { service: { name: 's', port: { number: 80 } } },
    tls: [{ hosts: ['a.b'], secretName: 's' }],
    rules: [
      {
        host: 'a.b',
        http: {
          paths: [
            { path: '/p', pathType: 'Prefix', backend: { service: { name: 's', port: { name: 'p' } } } },
            { path: '/q', pathType: 'Exact', backend: { resource: { apiGroup: 'g.io', kind: 'K', name: 'n' } } },
          ],
        },
      },
    ],
  },
}
