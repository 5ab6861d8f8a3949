import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const coordinationV1: GroupVersionTable = {
  group: 'coordination.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.coordination.v1',
  types: {
    Lease: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'LeaseSpec' },
      },
    },
    LeaseList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]Lease', omit: 'never', required: true },
      },
    },
    LeaseSpec: {
      fields: {
        holderIdentity: { n: 1, type: '*string' },
        leaseDurationSeconds: { n: 2, type: '*int32', format: 'int32' },
        acquireTime: { n: 3, type: '*MicroTime' },
        renewTime: { n: 4, type: '*MicroTime' },
        leaseTransitions: { n: 5, type: '*int32', format: 'int32' },
        strategy: { n: 6, type: '*string', alias: 'CoordinatedLeaseStrategy', gate: ['CoordinatedLeaderElection'] },
        preferredHolder: { n: 7, type: '*string', gate: ['CoordinatedLeaderElection'] },
      },
    },
  },
  resources: {
    leases: {
      kind: 'Lease',
      singular: 'lease',
      listKind: 'LeaseList',
      namespaced: true,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'leases',
      storageVersionHash: 'gqkMMb/YqFM=',
      introduced: '1.14',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'Status',
      createOnUpdate: true,
      conditionalUpdateOnly: true,
    },
  },
}
