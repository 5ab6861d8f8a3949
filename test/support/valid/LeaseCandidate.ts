import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'coordination.k8s.io/v1beta1',
  kind: 'LeaseCandidate',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: { leaseName: 'l', binaryVersion: '1.36.0', emulationVersion: '1.36.0', strategy: 'OldestEmulationVersion' },
}
