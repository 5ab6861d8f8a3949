import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: {
    type: 'NodePort',
    selector: { a: 'b' },
    clusterIP: '10.0.0.77',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    externalIPs: ['1.2.3.4'],
    externalTrafficPolicy: 'Cluster',
    internalTrafficPolicy: 'Cluster',
    sessionAffinity: 'ClientIP',
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 100 } },
    trafficDistribution: 'PreferClose',
    ports: [
      { name: 'a', port: 80, protocol: 'TCP', targetPort: 8080, appProtocol: 'http', nodePort: 30080 },
      { name: 'b', port: 81, protocol: 'TCP', targetPort: 81 },
    ],
  },
}

export const extname: ApiObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: { type: 'ExternalName', externalName: 'a.b', ports: [{ port: 80 }] },
}

export const lb: ApiObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: {
    type: 'LoadBalancer',
    clusterIP: '10.0.0.78',
    clusterIPs: ['10.0.0.78'],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    allocateLoadBalancerNodePorts: true,
    loadBalancerClass: 'a.b/c',
    loadBalancerSourceRanges: ['10.0.0.0/8'],
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 30999,
    ports: [{ port: 80 }],
  },
}
