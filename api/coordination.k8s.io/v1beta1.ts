import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const coordinationV1beta1: GroupVersionTable = {
  group: 'coordination.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.coordination.v1beta1',
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
    LeaseCandidate: {
      doc: 'A candidate for a lease in a coordinated election.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'LeaseCandidateSpec', required: true, doc: "The lease, and the candidate's versions." },
      },
    },
    LeaseCandidateList: {
      doc: 'A list of LeaseCandidate objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]LeaseCandidate', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    LeaseCandidateSpec: {
      doc: 'A candidacy.',
      fields: {
        leaseName: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the lease. Cannot be changed.' },
        pingTime: { n: 2, type: '*MicroTime', doc: 'When the election last pinged the candidate; it answers by renewing.' },
        renewTime: { n: 3, type: '*MicroTime', doc: 'When the candidate last renewed its candidacy.' },
        binaryVersion: { n: 4, type: 'string', omit: 'never', required: true, default: '', doc: "Version of the candidate's program." },
        emulationVersion: { n: 5, type: 'string', doc: 'Version that the candidate behaves as; at most binaryVersion.' },
        strategy: { n: 6, type: 'string', required: true, alias: 'CoordinatedLeaseStrategy', doc: 'How the candidate wants the holder to be chosen.' },
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
    leasecandidates: {
      kind: 'LeaseCandidate',
      singular: 'leasecandidate',
      listKind: 'LeaseCandidateList',
      namespaced: true,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1beta1',
      storagePrefix: 'leasecandidates',
      storageVersionHash: 'lvME0iHWE20=',
      served: false,
      introduced: '1.33',
      deprecated: '1.36',
      removed: '1.39',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'Status',
      createOnUpdate: true,
      conditionalUpdateOnly: true,
    },
  },
}
