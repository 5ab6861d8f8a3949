import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const discoveryV1: GroupVersionTable = {
  group: 'discovery.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.discovery.v1',
  types: {
    Endpoint: {
      doc: 'A backend of a service.',
      fields: {
        addresses: { n: 1, type: '[]string', omit: 'never', required: true, list: 'set', rules: ['required @alpha 1.36', 'maxItems=100 @alpha 1.36'], doc: "Its addresses, all of the slice's family; clients may use the first only." },
        conditions: { n: 2, type: 'EndpointConditions', doc: 'Whether it can serve.' },
        hostname: { n: 3, type: '*string', doc: 'Host name of it; endpoints may share one.' },
        targetRef: { n: 4, type: '*core/v1.ObjectReference', doc: 'The object behind it, such as a pod.' },
        deprecatedTopology: { n: 5, type: 'map[string]string', deprecated: true, doc: 'Deprecated: topology of it from v1beta1. Ignored on write.' },
        nodeName: { n: 6, type: '*string', doc: 'Node that it is on.' },
        zone: { n: 7, type: '*string', doc: 'Zone that it is in.' },
        hints: { n: 8, type: '*EndpointHints', doc: 'Who should use it.' },
      },
    },
    EndpointConditions: {
      doc: 'Whether an endpoint can serve; unset reads as unknown.',
      fields: {
        ready: { n: 1, type: '*bool', doc: 'It takes traffic; unset counts as true. Never true while terminating, unless the service says so.' },
        serving: { n: 2, type: '*bool', doc: 'It can serve, also while terminating; unset counts as ready.' },
        terminating: { n: 3, type: '*bool', doc: 'It is being ended; unset counts as false.' },
      },
    },
    EndpointHints: {
      doc: 'Whoever routes traffic may go by them.',
      fields: {
        forZones: { n: 1, type: '[]ForZone', list: 'atomic', doc: 'Zones that should use it; at most 8.' },
        forNodes: { n: 2, type: '[]ForNode', list: 'atomic', doc: 'Nodes that should use it; at most 8.' },
      },
    },
    EndpointPort: {
      doc: 'A port that endpoints serve.',
      map: 'atomic',
      fields: {
        name: { n: 1, type: '*string', doc: 'Name of the port, as in the service; unique in the slice.' },
        protocol: { n: 2, type: '*string', alias: 'Protocol', enum: ['SCTP', 'TCP', 'UDP'], doc: 'TCP (the default), UDP or SCTP.' },
        port: { n: 3, type: '*int32', format: 'int32', doc: 'Number of the port; unset is all ports.' },
        appProtocol: { n: 4, type: '*string', doc: 'What is spoken on top of the protocol, such as kubernetes.io/h2c.' },
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
        ports: { n: 3, type: '[]EndpointPort', omit: 'never', list: 'atomic', doc: 'Ports that each of them serves; at most 20000.' },
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
