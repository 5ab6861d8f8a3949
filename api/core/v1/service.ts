import type { TypeTable } from '../../../lib/schema/index.ts'

/** Services and endpoints. */
export const serviceTypes: Readonly<Record<string, TypeTable>> = {
  ClientIPConfig: {
    fields: {
      timeoutSeconds: { n: 1, type: '*int32', format: 'int32' },
    },
  },
  EndpointAddress: {
    map: 'atomic',
    fields: {
      ip: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      hostname: { n: 3, type: 'string' },
      nodeName: { n: 4, type: '*string' },
      targetRef: { n: 2, type: '*ObjectReference' },
    },
  },
  EndpointPort: {
    map: 'atomic',
    fields: {
      name: { n: 1, type: 'string' },
      port: { n: 2, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
      protocol: { n: 3, type: 'string', alias: 'Protocol', enum: ['SCTP', 'TCP', 'UDP'] },
      appProtocol: { n: 4, type: '*string' },
    },
  },
  EndpointSubset: {
    fields: {
      addresses: { n: 1, type: '[]EndpointAddress', list: 'atomic' },
      notReadyAddresses: { n: 2, type: '[]EndpointAddress', list: 'atomic' },
      ports: { n: 3, type: '[]EndpointPort', list: 'atomic' },
    },
  },
  Endpoints: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      subsets: { n: 2, type: '[]EndpointSubset', list: 'atomic' },
    },
  },
  EndpointsList: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta' },
      items: { n: 2, type: '[]Endpoints', omit: 'never', required: true },
    },
  },
  LoadBalancerIngress: {
    fields: {
      ip: { n: 1, type: 'string' },
      hostname: { n: 2, type: 'string' },
      ipMode: { n: 3, type: '*string', alias: 'LoadBalancerIPMode' },
      ports: { n: 4, type: '[]PortStatus', list: 'atomic' },
    },
  },
  LoadBalancerStatus: {
    fields: {
      ingress: { n: 1, type: '[]LoadBalancerIngress', list: 'atomic' },
    },
  },
  PortStatus: {
    fields: {
      port: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
      protocol: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'Protocol', enum: ['SCTP', 'TCP', 'UDP'] },
      error: { n: 3, type: '*string' },
    },
  },
  Service: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
      spec: { n: 2, type: 'ServiceSpec' },
      status: { n: 3, type: 'ServiceStatus' },
    },
  },
  ServiceList: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta' },
      items: { n: 2, type: '[]Service', omit: 'never', required: true },
    },
  },
  ServicePort: {
    fields: {
      name: { n: 1, type: 'string' },
      protocol: { n: 2, type: 'string', default: 'TCP', alias: 'Protocol', enum: ['SCTP', 'TCP', 'UDP'] },
      appProtocol: { n: 6, type: '*string' },
      port: { n: 3, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
      targetPort: { n: 4, type: 'IntOrString' },
      nodePort: { n: 5, type: 'int32', format: 'int32' },
    },
  },
  ServiceSpec: {
    fields: {
      ports: { n: 1, type: '[]ServicePort', list: 'map', keys: ['port', 'protocol'], patch: 'merge', patchKey: 'port' },
      selector: { n: 2, type: 'map[string]string', map: 'atomic' },
      clusterIP: { n: 3, type: 'string' },
      clusterIPs: { n: 18, type: '[]string', list: 'atomic' },
      type: { n: 4, type: 'string', alias: 'ServiceType', enum: ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'] },
      externalIPs: { n: 5, type: '[]string', list: 'atomic' },
      sessionAffinity: { n: 7, type: 'string', alias: 'ServiceAffinity', enum: ['ClientIP', 'None'] },
      loadBalancerIP: { n: 8, type: 'string', deprecated: true },
      loadBalancerSourceRanges: { n: 9, type: '[]string', list: 'atomic' },
      externalName: { n: 10, type: 'string' },
      externalTrafficPolicy: { n: 11, type: 'string', alias: 'ServiceExternalTrafficPolicy', enum: ['Cluster', 'Local'] },
      healthCheckNodePort: { n: 12, type: 'int32', format: 'int32' },
      publishNotReadyAddresses: { n: 13, type: 'bool' },
      sessionAffinityConfig: { n: 14, type: '*SessionAffinityConfig' },
      ipFamilies: { n: 19, type: '[]string', list: 'atomic', alias: 'IPFamily', itemEnum: ['', 'IPv4', 'IPv6'] },
      ipFamilyPolicy: { n: 17, type: '*string', alias: 'IPFamilyPolicy', enum: ['PreferDualStack', 'RequireDualStack', 'SingleStack'] },
      allocateLoadBalancerNodePorts: { n: 20, type: '*bool' },
      loadBalancerClass: { n: 21, type: '*string' },
      internalTrafficPolicy: { n: 22, type: '*string', alias: 'ServiceInternalTrafficPolicy', enum: ['Cluster', 'Local'] },
      trafficDistribution: { n: 23, type: '*string' },
    },
  },
  ServiceStatus: {
    fields: {
      loadBalancer: { n: 1, type: 'LoadBalancerStatus' },
      conditions: { n: 2, type: '[]meta/v1.Condition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
    },
  },
  SessionAffinityConfig: {
    fields: {
      clientIP: { n: 1, type: '*ClientIPConfig' },
    },
  },
}
