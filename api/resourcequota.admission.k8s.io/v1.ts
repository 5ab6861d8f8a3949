import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const resourcequotaAdmissionV1: GroupVersionTable = {
  group: 'resourcequota.admission.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.apiserver.pkg.admission.plugin.resourcequota.apis.resourcequota.v1',
  types: {
    Configuration: {
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        limitedResources: { type: '[]LimitedResource', omit: 'never' },
      },
    },
    LimitedResource: {
      fields: {
        apiGroup: { type: 'string' },
        resource: { type: 'string', omit: 'never' },
        matchContains: { type: '[]string' },
        matchScopes: { type: '[]core/v1.ScopedResourceSelectorRequirement' },
      },
    },
  },
}
