import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const apidiscoveryV2: GroupVersionTable = {
  group: 'apidiscovery.k8s.io',
  version: 'v2',
  protoPackage: 'k8s.io.api.apidiscovery.v2',
  types: {
    APIGroupDiscovery: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        versions: { n: 2, type: '[]APIVersionDiscovery', list: 'map', keys: ['version'] },
      },
    },
    APIGroupDiscoveryList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]APIGroupDiscovery', omit: 'never', required: true },
      },
    },
    APIResourceDiscovery: {
      fields: {
        resource: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        responseKind: { n: 2, type: '*meta/v1.GroupVersionKind' },
        scope: { n: 3, type: 'string', omit: 'never', required: true, default: '', alias: 'ResourceScope' },
        singularResource: { n: 4, type: 'string', omit: 'never', required: true, default: '' },
        verbs: { n: 5, type: '[]string', omit: 'never', required: true, list: 'set' },
        shortNames: { n: 6, type: '[]string', list: 'set' },
        categories: { n: 7, type: '[]string', list: 'set' },
        subresources: { n: 8, type: '[]APISubresourceDiscovery', list: 'map', keys: ['subresource'] },
      },
    },
    APISubresourceDiscovery: {
      fields: {
        subresource: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        responseKind: { n: 2, type: '*meta/v1.GroupVersionKind' },
        acceptedTypes: { n: 3, type: '[]meta/v1.GroupVersionKind', list: 'map', keys: ['group', 'version', 'kind'] },
        verbs: { n: 4, type: '[]string', omit: 'never', required: true, list: 'set' },
      },
    },
    APIVersionDiscovery: {
      fields: {
        version: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        resources: { n: 2, type: '[]APIResourceDiscovery', list: 'map', keys: ['resource'] },
        freshness: { n: 3, type: 'string', alias: 'DiscoveryFreshness' },
      },
    },
  },
}
