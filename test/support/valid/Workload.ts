import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'scheduling.k8s.io/v1alpha2',
  kind: 'Workload',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: {
    controllerRef: { apiGroup: 'batch', kind: 'Job', name: 'j' },
    podGroupTemplates: [{ name: 't', schedulingPolicy: { gang: { minCount: 2 } } }],
  },
}
