import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const apidiscoveryV2: GroupVersionTable = {
  group: 'apidiscovery.k8s.io',
  version: 'v2',
  protoPackage: 'k8s.io.api.apidiscovery.v2',
  types: {
    APIGroupDiscovery: {
      doc: 'A group, its versions and their resources.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name of the group; empty for core.' },
        versions: { n: 2, type: '[]APIVersionDiscovery', list: 'map', keys: ['version'], doc: 'Versions of the group, the preferred first.' },
      },
    },
    APIGroupDiscoveryList: {
      doc: 'A list of APIGroupDiscovery objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]APIGroupDiscovery', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    APIResourceDiscovery: {
      doc: 'A resource.',
      fields: {
        resource: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Plural name of the resource.' },
        responseKind: { n: 2, type: '*meta/v1.GroupVersionKind', doc: 'Kind of the objects.' },
        scope: { n: 3, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceScope', doc: 'Cluster or Namespaced.' },
        singularResource: { n: 4, type: 'string', omit: 'never', required: true, default: '', doc: 'Singular name, as clients print it.' },
        verbs: { n: 5, type: '[]string', omit: 'never', required: true, list: 'set', doc: 'Verbs that the resource takes.' },
        shortNames: { n: 6, type: '[]string', list: 'set', doc: 'Abbreviations that clients accept.' },
        categories: { n: 7, type: '[]string', list: 'set', doc: 'Groups of resources that this one is listed under, such as all.' },
        subresources: { n: 8, type: '[]APISubresourceDiscovery', list: 'map', keys: ['subresource'], doc: 'Subresources of the resource.' },
      },
    },
    APISubresourceDiscovery: {
      doc: 'A subresource.',
      fields: {
        subresource: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the subresource.' },
        responseKind: { n: 2, type: '*meta/v1.GroupVersionKind', doc: 'Kind of the answers; unset when they are no objects.' },
        acceptedTypes: { n: 3, type: '[]meta/v1.GroupVersionKind', list: 'map', keys: ['group', 'version', 'kind'], doc: "Kinds that it accepts besides the answer's." },
        verbs: { n: 4, type: '[]string', omit: 'never', required: true, list: 'set', doc: 'Verbs that the subresource takes.' },
      },
    },
    APIVersionDiscovery: {
      doc: 'A version of a group.',
      fields: {
        version: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the version.' },
        resources: { n: 2, type: '[]APIResourceDiscovery', list: 'map', keys: ['resource'], doc: 'Resources of the version.' },
        freshness: { n: 3, type: 'string', alias: 'DiscoveryFreshness', doc: 'Current, or Stale when the server behind it did not answer.' },
      },
    },
  },
}
