import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const webhookadmissionApiserverConfigV1: GroupVersionTable = {
  group: 'webhookadmission.apiserver.config.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.apiserver.pkg.admission.plugin.webhook.config.apis.webhookadmission.v1',
  types: {
    WebhookAdmission: {
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        kubeConfigFile: { type: 'string', omit: 'never' },
        staticManifestsDir: { type: 'string' },
      },
    },
  },
}
