import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'FlowSchema',
  metadata: { name: 'vv7-x' },
  spec: {
    priorityLevelConfiguration: { name: 'p' },
    matchingPrecedence: 10,
    distinguisherMethod: { type: 'ByUser' },
    rules: [
      {
        subjects: [
          { kind: 'User', user: { name: 'u' } },
          { kind: 'ServiceAccount', serviceAccount: { name: 'sa', namespace: 'default' } },
        ],
        resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['default'] }],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }],
      },
    ],
  },
}
