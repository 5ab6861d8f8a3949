import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'scheduling.k8s.io/v1alpha2',
  kind: 'PodGroup',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: {
    podGroupTemplateRef: { workload: { workloadName: 'w', podGroupTemplateName: 't' } },
    schedulingPolicy: { basic: {} },
  },
}
