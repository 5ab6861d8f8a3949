import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } }, unhealthyPodEvictionPolicy: 'IfHealthyBudget' },
}
