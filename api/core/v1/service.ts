import type { TypeTable } from '../../../lib/schema/index.ts'

/** Services, allocated ranges, and endpoints. */
export const serviceTypes: Readonly<Record<string, TypeTable>> = {
  ClientIPConfig: {
    doc: 'How long a client keeps its pod.',
    fields: {
      timeoutSeconds: { n: 1, type: '*int32', format: 'int32', doc: 'Seconds that a client keeps its pod, up to 86400. Defaults to 10800.' },
    },
  },
  EndpointAddress: {
    doc: 'An address of an endpoint.',
    map: 'atomic',
    fields: {
      ip: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'The address.' },
      hostname: { n: 3, type: 'string', doc: 'Host name of the endpoint.' },
      nodeName: { n: 4, type: '*string', doc: 'Node of the endpoint.' },
      targetRef: { n: 2, type: '*ObjectReference', doc: 'The object of the endpoint, such as a pod.' },
    },
  },
  EndpointPort: {
    doc: 'A port of an endpoint.',
    map: 'atomic',
    fields: {
      name: { n: 1, type: 'string', doc: 'Name of the port, as in the service; may be empty when it is the only one.' },
      port: { n: 2, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'Number of the port.' },
      protocol: { n: 3, type: 'string', alias: 'Protocol', enum: ['SCTP', 'TCP', 'UDP'], doc: 'TCP (the default), UDP or SCTP.' },
      appProtocol: { n: 4, type: '*string', doc: 'Application protocol, such as kubernetes.io/h2c.' },
    },
  },
  EndpointSubset: {
    doc: 'Addresses that serve the same ports.',
    fields: {
      addresses: { n: 1, type: '[]EndpointAddress', list: 'atomic', doc: 'Addresses that are ready.' },
      notReadyAddresses: { n: 2, type: '[]EndpointAddress', list: 'atomic', doc: 'Addresses that are not ready.' },
      ports: { n: 3, type: '[]EndpointPort', list: 'atomic', doc: 'The ports.' },
    },
  },
  Endpoints: {
    doc: 'Deprecated: addresses that serve a service of the same name; use EndpointSlice.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      subsets: { n: 2, type: '[]EndpointSubset', list: 'atomic', doc: 'All addresses and ports together.' },
    },
  },
  EndpointsList: {
    doc: 'A list of Endpoints objects.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      items: { n: 2, type: '[]Endpoints', omit: 'never', required: true, doc: 'The objects.' },
    },
  },
  LoadBalancerIngress: {
    doc: 'An ingress point of a load balancer.',
    fields: {
      ip: { n: 1, type: 'string', doc: 'Its address.' },
      hostname: { n: 2, type: 'string', doc: 'Its host name.' },
      ipMode: { n: 3, type: '*string', alias: 'LoadBalancerIPMode', doc: 'VIP (the default) keeps the destination of packets; Proxy rewrites it to a node or pod.' },
      ports: { n: 4, type: '[]PortStatus', list: 'atomic', doc: "State of the service's ports there." },
    },
  },
  LoadBalancerStatus: {
    doc: 'State of a load balancer.',
    fields: {
      ingress: { n: 1, type: '[]LoadBalancerIngress', list: 'atomic', doc: 'The ingress points.' },
    },
  },
  PortStatus: {
    doc: 'State of a port of a load balancer.',
    fields: {
      port: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'Number of the port.' },
      protocol: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'Protocol', enum: ['SCTP', 'TCP', 'UDP'], doc: 'TCP, UDP or SCTP.' },
      error: { n: 3, type: '*string', doc: 'Machine-readable problem with the port; unset when there is none.' },
    },
  },
  Service: {
    doc: 'A stable name and address for a set of pods.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      spec: { n: 2, type: 'ServiceSpec', doc: 'Selector, ports and type of the service.' },
      status: { n: 3, type: 'ServiceStatus', doc: 'State of the load balancer.' },
    },
  },
  ServiceList: {
    doc: 'A list of Service objects.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      items: { n: 2, type: '[]Service', omit: 'never', required: true, doc: 'The objects.' },
    },
  },
  ServicePort: {
    doc: 'A port of a service.',
    fields: {
      name: { n: 1, type: 'string', doc: 'Name of the port; required when there are several.' },
      protocol: { n: 2, type: 'string', default: 'TCP', alias: 'Protocol', enum: ['SCTP', 'TCP', 'UDP'], doc: 'TCP (the default), UDP or SCTP.' },
      appProtocol: { n: 6, type: '*string', doc: 'Application protocol, such as kubernetes.io/h2c.' },
      port: { n: 3, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'Number of the port at the service.' },
      targetPort: { n: 4, type: 'IntOrString', doc: 'Port of the pods, by number or name. Defaults to port.' },
      nodePort: { n: 5, type: 'int32', format: 'int32', doc: 'Port of every node that is forwarded here, for NodePort and LoadBalancer; allocated when 0.' },
    },
  },
  ServiceSpec: {
    doc: 'Selector, ports and type of a service.',
    fields: {
      ports: { n: 1, type: '[]ServicePort', list: 'map', keys: ['port', 'protocol'], patch: 'merge', patchKey: 'port', doc: 'The ports.' },
      selector: { n: 2, type: 'map[string]string', map: 'atomic', doc: 'Labels of the pods that serve; without it, another client maintains the endpoints.' },
      clusterIP: { n: 3, type: 'string', doc: 'Address of the service: allocated when empty, None for a headless service.' },
      clusterIPs: { n: 18, type: '[]string', list: 'atomic', doc: 'Addresses of the service, one of each address family; the first is clusterIP.' },
      type: { n: 4, type: 'string', alias: 'ServiceType', enum: ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'], doc: 'ClusterIP (the default), NodePort, LoadBalancer or ExternalName.' },
      externalIPs: { n: 5, type: '[]string', list: 'atomic', doc: 'Further addresses at which nodes accept traffic for the service.' },
      sessionAffinity: { n: 7, type: 'string', alias: 'ServiceAffinity', enum: ['ClientIP', 'None'], doc: 'ClientIP sends a client to the same pod each time. Defaults to None.' },
      loadBalancerIP: { n: 8, type: 'string', deprecated: true, doc: 'Deprecated: desired address of the load balancer; not every provider supports it.' },
      loadBalancerSourceRanges: { n: 9, type: '[]string', list: 'atomic', doc: 'Blocks of client addresses that the load balancer accepts.' },
      externalName: { n: 10, type: 'string', doc: 'Name that the service is an alias of, for ExternalName.' },
      externalTrafficPolicy: { n: 11, type: 'string', alias: 'ServiceExternalTrafficPolicy', enum: ['Cluster', 'Local'], doc: 'Cluster (the default), or Local to keep outside traffic, and its source address, on the node.' },
      healthCheckNodePort: { n: 12, type: 'int32', format: 'int32', doc: 'Port of every node at which load balancers check whether it has pods, for the policy Local.' },
      publishNotReadyAddresses: { n: 13, type: 'bool', doc: 'Also includes pods that are not ready. Defaults to false.' },
      sessionAffinityConfig: { n: 14, type: '*SessionAffinityConfig', doc: 'Settings of sessionAffinity.' },
      ipFamilies: { n: 19, type: '[]string', list: 'atomic', alias: 'IPFamily', itemEnum: ['', 'IPv4', 'IPv6'], doc: 'Address families of clusterIPs, in order.' },
      ipFamilyPolicy: { n: 17, type: '*string', alias: 'IPFamilyPolicy', enum: ['PreferDualStack', 'RequireDualStack', 'SingleStack'], doc: 'SingleStack (the default), PreferDualStack or RequireDualStack.' },
      allocateLoadBalancerNodePorts: { n: 20, type: '*bool', doc: 'Allocates node ports for a LoadBalancer. Defaults to true.' },
      loadBalancerClass: { n: 21, type: '*string', doc: "Implementation of the load balancer; the provider's default when unset. Cannot be changed." },
      internalTrafficPolicy: { n: 22, type: '*string', alias: 'ServiceInternalTrafficPolicy', enum: ['Cluster', 'Local'], doc: 'Cluster (the default), or Local to keep internal traffic on the node.' },
      trafficDistribution: { n: 23, type: '*string', doc: 'Which endpoints to prefer: PreferSameZone, PreferSameNode or (older) PreferClose.' },
    },
  },
  ServiceStatus: {
    doc: 'State of a service.',
    fields: {
      loadBalancer: { n: 1, type: 'LoadBalancerStatus', doc: 'State of the load balancer, if there is one.' },
      conditions: { n: 2, type: '[]meta/v1.Condition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: "Aspects of the service's state." },
    },
  },
  SessionAffinityConfig: {
    doc: 'Settings of session affinity.',
    fields: {
      clientIP: { n: 1, type: '*ClientIPConfig', doc: 'Settings of affinity by client address.' },
    },
  },
  RangeAllocation: {
    doc: 'Internal: the allocated values of a range.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
      range: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'The range, as text.' },
      data: { n: 3, type: 'bytes', omit: 'never', required: true, format: 'byte', doc: 'A bit for each allocated value.' },
    },
  },
}
