import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const eventratelimitAdmissionV1alpha1: GroupVersionTable = {
  group: 'eventratelimit.admission.k8s.io',
  version: 'v1alpha1',
  protoPackage: 'k8s.io.kubernetes.plugin.pkg.admission.eventratelimit.apis.eventratelimit.v1alpha1',
  types: {
    Configuration: {
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        limits: { type: '[]Limit', omit: 'never' },
      },
    },
    Limit: {
      fields: {
        type: { type: 'string', omit: 'never', alias: 'LimitType' },
        qps: { type: 'int32', omit: 'never' },
        burst: { type: 'int32', omit: 'never' },
        cacheSize: { type: 'int32' },
      },
    },
  },
}
