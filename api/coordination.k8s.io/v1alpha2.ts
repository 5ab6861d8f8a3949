import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const coordinationV1alpha2: GroupVersionTable = {
  group: 'coordination.k8s.io',
  version: 'v1alpha2',
  protoPackage: 'k8s.io.api.coordination.v1alpha2',
  types: {
    LeaseCandidate: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'LeaseCandidateSpec', required: true },
      },
    },
    LeaseCandidateList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]LeaseCandidate', omit: 'never', required: true },
      },
    },
    LeaseCandidateSpec: {
      fields: {
        leaseName: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        pingTime: { n: 2, type: '*MicroTime' },
        renewTime: { n: 3, type: '*MicroTime' },
        binaryVersion: { n: 4, type: 'string', omit: 'never', required: true, default: '' },
        emulationVersion: { n: 5, type: 'string' },
        strategy: { n: 6, type: 'string', required: true, alias: 'CoordinatedLeaseStrategy' },
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
