import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const coordinationV1: GroupVersionTable = {
  group: 'coordination.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.coordination.v1',
  types: {
    Lease: {
      doc: 'A lock that a holder keeps as long as it renews it.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'LeaseSpec', doc: 'The holder, and until when it holds.' },
      },
    },
    LeaseList: {
      doc: 'A list of Lease objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]Lease', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    LeaseSpec: {
      doc: 'The holder renews it; others may take it when the duration has passed since.',
      fields: {
        holderIdentity: { n: 1, type: '*string', doc: 'The present holder; empty when there is none.' },
        leaseDurationSeconds: { n: 2, type: '*int32', format: 'int32', doc: 'Seconds after renewTime that others must wait before they take it.' },
        acquireTime: { n: 3, type: '*MicroTime', doc: 'When the present holder took it.' },
        renewTime: { n: 4, type: '*MicroTime', doc: 'When the present holder last renewed it.' },
        leaseTransitions: { n: 5, type: '*int32', format: 'int32', doc: 'How often the holder changed.' },
        strategy: { n: 6, type: '*string', alias: 'CoordinatedLeaseStrategy', gate: ['CoordinatedLeaderElection'], doc: 'How the holder is chosen, in coordinated elections.' },
        preferredHolder: { n: 7, type: '*string', gate: ['CoordinatedLeaderElection'], doc: 'The holder should release the lease for this one. Needs strategy.' },
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
