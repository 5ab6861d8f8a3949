import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'internal.apiserver.k8s.io/v1alpha1',
  kind: 'StorageVersion',
  metadata: { name: 'apps.deployments' },
  spec: {},
  status: {
    storageVersions: [
      { apiServerID: 'a', encodingVersion: 'apps/v1', decodableVersions: ['apps/v1'], servedVersions: ['apps/v1'] },
    ],
  },
}
