import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const certificatesV1alpha1: GroupVersionTable = {
  group: 'certificates.k8s.io',
  version: 'v1alpha1',
  protoPackage: 'k8s.io.api.certificates.v1alpha1',
  types: {
    ClusterTrustBundle: {
      doc: 'Certificates of trust anchors, for pods to mount.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'ClusterTrustBundleSpec', omit: 'never', required: true, doc: 'The certificates.' },
      },
    },
    ClusterTrustBundleList: {
      doc: 'A list of ClusterTrustBundle objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]ClusterTrustBundle', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    ClusterTrustBundleSpec: {
      doc: 'Certificates of trust anchors.',
      fields: {
        signerName: { n: 1, type: 'string', doc: "Signer that the anchors are for; the object's name then begins with it. Cannot be changed." },
        trustBundle: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'The certificates, in PEM; their order has no meaning.' },
      },
    },
  },
  resources: {
    clustertrustbundles: {
      kind: 'ClusterTrustBundle',
      singular: 'clustertrustbundle',
      listKind: 'ClusterTrustBundleList',
      namespaced: false,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1beta1',
      storagePrefix: 'clustertrustbundles',
      storageVersionHash: 'v5yhuVertL4=',
      served: false,
      introduced: '1.26',
      deprecated: '1.34',
      removed: '1.37',
      fieldSelectors: ['metadata.name', 'spec.signerName'],
      deleteReturns: 'Status',
      conditionalUpdateOnly: true,
    },
  },
}
