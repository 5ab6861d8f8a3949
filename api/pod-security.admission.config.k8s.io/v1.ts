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
        defaults: { type: 'PodSecurityDefaults', omit: 'never', doc: 'Default levels of namespaces.' },
        exemptions: { type: 'PodSecurityExemptions', omit: 'never', doc: 'Pods that are not checked.' },
      },
    },
    PodSecurityDefaults: {
      doc: 'Namespaces override each by a label pod-security.kubernetes.io/<name>.',
      fields: {
        enforce: { type: 'string', doc: 'Level that pods must meet, or be refused. Defaults to privileged.' },
        'enforce-version': { type: 'string', doc: "Release of the level's rules, v1.30 or latest." },
        audit: { type: 'string', doc: 'Level whose violations are recorded in the audit log. Defaults to privileged.' },
        'audit-version': { type: 'string', doc: "Release of the level's rules, v1.30 or latest." },
        warn: { type: 'string', doc: 'Level whose violations cause a warning. Defaults to privileged.' },
        'warn-version': { type: 'string', doc: "Release of the level's rules, v1.30 or latest." },
      },
    },
    PodSecurityExemptions: {
      doc: 'Any one of them suffices.',
      fields: {
        usernames: { type: '[]string', doc: 'Users whose pods are not checked.' },
        namespaces: { type: '[]string', doc: 'Namespaces whose pods are not checked.' },
        runtimeClasses: { type: '[]string', doc: 'Runtime classes whose pods are not checked.' },
      },
    },
  },
}
