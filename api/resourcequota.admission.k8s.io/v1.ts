import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const resourcequotaAdmissionV1: GroupVersionTable = {
  group: 'resourcequota.admission.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.apiserver.pkg.admission.plugin.resourcequota.apis.resourcequota.v1',
  types: {
    Configuration: {
      doc: 'Settings of the plugin ResourceQuota.',
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        limitedResources: { type: '[]LimitedResource', omit: 'never', doc: 'Resources that may only be used with a quota for them.' },
      },
    },
    LimitedResource: {
      doc: 'A resource that may only be used with a quota for it.',
      fields: {
        apiGroup: { type: 'string', doc: 'API group of the resource.' },
        resource: { type: 'string', omit: 'never', doc: 'Plural name of the resource.' },
        matchContains: { type: '[]string', doc: 'A resource name in a quota that contains any of these texts is limited.' },
        matchScopes: { type: '[]core/v1.ScopedResourceSelectorRequirement', doc: 'Scopes in which objects need a quota.' },
      },
    },
  },
}
