import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const podSecurityAdmissionConfigV1: GroupVersionTable = {
  group: 'pod-security.admission.config.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.pod_security_admission.admission.api.v1',
  types: {
    PodSecurityConfiguration: {
      doc: 'Settings of the plugin PodSecurity.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        defaults: { type: 'PodSecurityDefaults', omit: 'never', doc: 'Levels of namespaces that state none.' },
        exemptions: { type: 'PodSecurityExemptions', omit: 'never', doc: 'Pods that are not looked at.' },
      },
    },
    PodSecurityDefaults: {
      doc: 'Namespaces override each by a label pod-security.kubernetes.io/<name>.',
      fields: {
        enforce: { type: 'string', doc: 'Level below which pods are refused. Defaults to privileged.' },
        'enforce-version': { type: 'string', doc: 'Release whose rules the level has, as v1.30 or latest.' },
        audit: { type: 'string', doc: 'Level below which pods are noted in the audit log. Defaults to privileged.' },
        'audit-version': { type: 'string', doc: 'Release whose rules the level has, as v1.30 or latest.' },
        warn: { type: 'string', doc: 'Level below which the client is warned. Defaults to privileged.' },
        'warn-version': { type: 'string', doc: 'Release whose rules the level has, as v1.30 or latest.' },
      },
    },
    PodSecurityExemptions: {
      doc: 'Any one of them suffices.',
      fields: {
        usernames: { type: '[]string', doc: 'Users whose pods are not looked at.' },
        namespaces: { type: '[]string', doc: 'Namespaces whose pods are not looked at.' },
        runtimeClasses: { type: '[]string', doc: 'Runtime classes whose pods are not looked at.' },
      },
    },
  },
}
