import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const discoveryV1: GroupVersionTable = {
  group: 'discovery.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.discovery.v1',
  types: {
    Endpoint: {
      doc: 'A backend of a service.',
      fields: {
        addresses: { n: 1, type: '[]string', omit: 'never', required: true, list: 'set', rules: ['required @alpha 1.36', 'maxItems=100 @alpha 1.36'], doc: "Addresses of the endpoint, all of the slice's family; clients may use only the first." },
        conditions: { n: 2, type: 'EndpointConditions', doc: 'State of the endpoint.' },
        hostname: { n: 3, type: '*string', doc: 'Host name of the endpoint; several endpoints may share one.' },
        targetRef: { n: 4, type: '*core/v1.ObjectReference', doc: 'The object of the endpoint, such as a pod.' },
        deprecatedTopology: { n: 5, type: 'map[string]string', deprecated: true, doc: 'Deprecated: topology from v1beta1. Ignored on write.' },
        nodeName: { n: 6, type: '*string', doc: 'Node of the endpoint.' },
        zone: { n: 7, type: '*string', doc: 'Zone of the endpoint.' },
        hints: { n: 8, type: '*EndpointHints', doc: 'Clients that should use the endpoint.' },
      },
    },
    EndpointConditions: {
      doc: 'State of an endpoint; unset means unknown.',
      fields: {
        ready: { n: 1, type: '*bool', doc: 'It accepts traffic; unset counts as true. Never true while terminating, unless the service publishes such addresses.' },
        serving: { n: 2, type: '*bool', doc: 'It can serve, also while terminating; unset counts as ready.' },
        terminating: { n: 3, type: '*bool', doc: 'It is being terminated; unset counts as false.' },
      },
    },
    EndpointHints: {
      doc: 'Routing components may follow them.',
      fields: {
        forZones: { n: 1, type: '[]ForZone', list: 'atomic', doc: 'Zones that should use it; at most 8.' },
        forNodes: { n: 2, type: '[]ForNode', list: 'atomic', doc: 'Nodes that should use it; at most 8.' },
      },
    },
    EndpointPort: {
      doc: 'A port of endpoints.',
      map: 'atomic',
      fields: {
        name: { n: 1, type: '*string', doc: 'Name of the port, as in the service; unique in the slice.' },
        protocol: { n: 2, type: '*string', alias: 'Protocol', enum: ['SCTP', 'TCP', 'UDP'], doc: 'TCP (the default), UDP or SCTP.' },
        port: { n: 3, type: '*int32', format: 'int32', doc: 'Number of the port; unset is all ports.' },
        appProtocol: { n: 4, type: '*string', doc: 'Application protocol, such as kubernetes.io/h2c.' },
      },
    },
    EndpointSlice: {
      doc: 'Some of the endpoints of a service.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        addressType: { n: 4, type: 'string', omit: 'never', required: true, default: '', alias: 'AddressType', enum: ['FQDN', 'IPv4', 'IPv6'], deprecated: true, rules: ['required @alpha 1.36', 'immutable @alpha 1.36'], doc: 'Family of the addresses: IPv4, IPv6 or (deprecated) FQDN. Cannot be changed.' },
        endpoints: { n: 2, type: '[]Endpoint', omit: 'never', list: 'atomic', rules: ['optional @alpha 1.36'], doc: 'The endpoints; at most 1000.' },
        ports: { n: 3, type: '[]EndpointPort', omit: 'never', list: 'atomic', doc: 'Ports of each endpoint; at most 20000.' },
      },
    },
    EndpointSliceList: {
      doc: 'A list of EndpointSlice objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]EndpointSlice', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    ForNode: {
      doc: 'A node that should use an endpoint.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the node.' },
      },
    },
    ForZone: {
      doc: 'A zone that should use an endpoint.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the zone.' },
      },
    },
  },
  resources: {
    endpointslices: {
      kind: 'EndpointSlice',
      singular: 'endpointslice',
      listKind: 'EndpointSliceList',
      namespaced: true,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'endpointslices',
      storageVersionHash: 'qgS0xkrxYAI=',
      introduced: '1.21',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'Status',
    },
  },
}
