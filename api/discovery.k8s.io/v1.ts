import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const discoveryV1: GroupVersionTable = {
  group: 'discovery.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.discovery.v1',
  types: {
    Endpoint: {
      fields: {
        addresses: { n: 1, type: '[]string', omit: 'never', required: true, list: 'set', rules: ['required @alpha 1.36', 'maxItems=100 @alpha 1.36'] },
        conditions: { n: 2, type: 'EndpointConditions' },
        hostname: { n: 3, type: '*string' },
        targetRef: { n: 4, type: '*core/v1.ObjectReference' },
        deprecatedTopology: { n: 5, type: 'map[string]string', deprecated: true },
        nodeName: { n: 6, type: '*string' },
        zone: { n: 7, type: '*string' },
        hints: { n: 8, type: '*EndpointHints' },
      },
    },
    EndpointConditions: {
      fields: {
        ready: { n: 1, type: '*bool' },
        serving: { n: 2, type: '*bool' },
        terminating: { n: 3, type: '*bool' },
      },
    },
    EndpointHints: {
      fields: {
        forZones: { n: 1, type: '[]ForZone', list: 'atomic' },
        forNodes: { n: 2, type: '[]ForNode', list: 'atomic' },
      },
    },
    EndpointPort: {
      map: 'atomic',
      fields: {
        name: { n: 1, type: '*string' },
        protocol: { n: 2, type: '*string', alias: 'Protocol', enum: ['SCTP', 'TCP', 'UDP'] },
        port: { n: 3, type: '*int32', format: 'int32' },
        appProtocol: { n: 4, type: '*string' },
      },
    },
    EndpointSlice: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        addressType: { n: 4, type: 'string', omit: 'never', required: true, default: '', alias: 'AddressType', enum: ['FQDN', 'IPv4', 'IPv6'], deprecated: true, rules: ['required @alpha 1.36', 'immutable @alpha 1.36'] },
        endpoints: { n: 2, type: '[]Endpoint', omit: 'never', list: 'atomic', rules: ['optional @alpha 1.36'] },
        ports: { n: 3, type: '[]EndpointPort', omit: 'never', list: 'atomic' },
      },
    },
    EndpointSliceList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]EndpointSlice', omit: 'never', required: true },
      },
    },
    ForNode: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    ForZone: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
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
