import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const podSecurityAdmissionConfigV1: GroupVersionTable = {
  group: 'pod-security.admission.config.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.pod_security_admission.admission.api.v1',
  types: {
    PodSecurityConfiguration: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        defaults: { type: 'PodSecurityDefaults', omit: 'never' },
        exemptions: { type: 'PodSecurityExemptions', omit: 'never' },
      },
    },
    PodSecurityDefaults: {
      fields: {
        enforce: { type: 'string' },
        'enforce-version': { type: 'string' },
        audit: { type: 'string' },
        'audit-version': { type: 'string' },
        warn: { type: 'string' },
        'warn-version': { type: 'string' },
      },
    },
    PodSecurityExemptions: {
      fields: {
        usernames: { type: '[]string' },
        namespaces: { type: '[]string' },
        runtimeClasses: { type: '[]string' },
      },
    },
  },
}
