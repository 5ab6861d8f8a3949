import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const webhookadmissionApiserverConfigV1: GroupVersionTable = {
  group: 'webhookadmission.apiserver.config.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.apiserver.pkg.admission.plugin.webhook.config.apis.webhookadmission.v1',
  types: {
    WebhookAdmission: {
      doc: 'Settings of the plugins that call webhooks.',
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        kubeConfigFile: { type: 'string', omit: 'never', doc: 'Kubeconfig with the credentials for webhooks.' },
        staticManifestsDir: { type: 'string', doc: 'Directory with webhooks or policies that are in force without being stored.' },
      },
    },
  },
}
