import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const podtolerationrestrictionAdmissionV1alpha1: GroupVersionTable = {
  group: 'podtolerationrestriction.admission.k8s.io',
  version: 'v1alpha1',
  protoPackage: 'k8s.io.kubernetes.plugin.pkg.admission.podtolerationrestriction.apis.podtolerationrestriction.v1alpha1',
  types: {
    Configuration: {
      doc: 'Settings of the plugin PodTolerationRestriction.',
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        default: { type: '[]core/v1.Toleration', doc: 'Default tolerations of pods, for namespaces without their own.' },
        whitelist: { type: '[]core/v1.Toleration', doc: 'Allowed tolerations of pods, for namespaces without their own.' },
      },
    },
  },
}
