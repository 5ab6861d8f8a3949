import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'vv7-x' },
  webhooks: [
    {
      name: 'a.b.c',
      clientConfig: { service: { name: 's', namespace: 'default', path: '/p', port: 443 } },
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], scope: '*' }],
      failurePolicy: 'Fail',
      matchPolicy: 'Exact',
      namespaceSelector: { matchLabels: { a: 'b' } },
      sideEffects: 'None',
      timeoutSeconds: 5,
      admissionReviewVersions: ['v1'],
      matchConditions: [{ name: 'n', expression: 'true' }],
    },
  ],
}
