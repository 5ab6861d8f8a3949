import type { GroupVersionTable } from '../../lib/schema/index.ts'

/** Not served: slices that releases before 1.22 stored. */
export const discoveryV1beta1: GroupVersionTable = {
  group: 'discovery.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.discovery.v1beta1',
  types: {
    Endpoint: {
      doc: 'A backend of a service.',
      fields: {
        addresses: { n: 1, type: '[]string', omit: 'never', required: true, list: 'set', doc: "Addresses of the endpoint, all of the slice's family." },
        conditions: { n: 2, type: 'discovery.k8s.io/v1.EndpointConditions', doc: 'State of the endpoint.' },
        hostname: { n: 3, type: '*string', doc: 'Host name of the endpoint; several endpoints may share one.' },
        targetRef: { n: 4, type: '*core/v1.ObjectReference', doc: 'The object of the endpoint, such as a pod.' },
        topology: { n: 5, type: 'map[string]string', deprecated: true, doc: "Labels of the endpoint's node, among them its name and zone." },
        nodeName: { n: 6, type: '*string', doc: 'Node of the endpoint.' },
        hints: { n: 7, type: '*discovery.k8s.io/v1.EndpointHints', doc: 'Clients that should use the endpoint.' },
      },
    },
    EndpointSlice: {
      doc: 'Some of the endpoints of a service.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        addressType: { n: 4, type: 'string', omit: 'never', required: true, default: '', alias: 'AddressType', enum: ['FQDN', 'IPv4', 'IPv6'], doc: 'Family of the addresses: IPv4, IPv6 or (deprecated) FQDN.' },
        endpoints: { n: 2, type: '[]Endpoint', omit: 'never', list: 'atomic', doc: 'The endpoints; at most 1000.' },
        ports: { n: 3, type: '[]discovery.k8s.io/v1.EndpointPort', omit: 'never', list: 'atomic', doc: 'Ports of each endpoint; at most 100.' },
      },
    },
  },
}
