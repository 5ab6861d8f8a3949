import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const coordinationV1alpha2: GroupVersionTable = {
  group: 'coordination.k8s.io',
  version: 'v1alpha2',
  protoPackage: 'k8s.io.api.coordination.v1alpha2',
  types: {
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
      introduced: '1.32',
      deprecated: '1.35',
      removed: '1.38',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'Status',
      createOnUpdate: true,
      conditionalUpdateOnly: true,
    },
  },
}
