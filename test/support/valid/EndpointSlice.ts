import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'vv7-x', namespace: 'default' },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.1.2.3'], hostname: 'h', nodeName: 'n', hints: { forZones: [{ name: 'z' }] } }],
  ports: [{ name: 'p', protocol: 'TCP', port: 80, appProtocol: 'http' }],
}
