import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const eventratelimitAdmissionV1alpha1: GroupVersionTable = {
  group: 'eventratelimit.admission.k8s.io',
  version: 'v1alpha1',
  protoPackage: 'k8s.io.kubernetes.plugin.pkg.admission.eventratelimit.apis.eventratelimit.v1alpha1',
  types: {
    Configuration: {
      doc: 'Settings of the plugin EventRateLimit.',
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        limits: { type: '[]Limit', omit: 'never', doc: 'The limits; an event must be within all.' },
      },
    },
    Limit: {
      doc: 'A limit on the rate of events.',
      fields: {
        type: { type: 'string', omit: 'never', alias: 'LimitType', doc: 'Events that share a limit: Server, Namespace, User or SourceAndObject.' },
        qps: { type: 'int32', omit: 'never', doc: 'Events a second, on average.' },
        burst: { type: 'int32', omit: 'never', doc: 'Events at once.' },
        cacheSize: { type: 'int32', doc: 'Maximum number of counted namespaces, users or objects. Defaults to 4096.' },
      },
    },
  },
}
