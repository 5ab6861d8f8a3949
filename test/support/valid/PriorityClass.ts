import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'vv7-x' },
  value: 10,
  preemptionPolicy: 'Never',
  description: 'd',
}
