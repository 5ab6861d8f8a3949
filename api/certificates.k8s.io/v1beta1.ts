import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const certificatesV1beta1: GroupVersionTable = {
  group: 'certificates.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.certificates.v1beta1',
  types: {
    CertificateSigningRequest: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'CertificateSigningRequestSpec', omit: 'never', required: true },
        status: { n: 3, type: 'CertificateSigningRequestStatus' },
      },
    },
    CertificateSigningRequestCondition: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'RequestConditionType' },
        status: { n: 6, type: 'string', omit: 'never', default: '', alias: 'ConditionStatus' },
        reason: { n: 2, type: 'string' },
        message: { n: 3, type: 'string' },
        lastUpdateTime: { n: 4, type: 'Time' },
        lastTransitionTime: { n: 5, type: 'Time' },
      },
    },
    CertificateSigningRequestList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]CertificateSigningRequest', omit: 'never', required: true },
      },
    },
    CertificateSigningRequestSpec: {
      fields: {
        request: { n: 1, type: 'bytes', omit: 'never', required: true, format: 'byte' },
        signerName: { n: 7, type: '*string' },
        expirationSeconds: { n: 8, type: '*int32', format: 'int32' },
        usages: { n: 5, type: '[]string', list: 'atomic', alias: 'KeyUsage' },
        username: { n: 2, type: 'string' },
        uid: { n: 3, type: 'string' },
        groups: { n: 4, type: '[]string', list: 'atomic' },
        extra: { n: 6, type: 'map[string]ExtraValue' },
      },
    },
    CertificateSigningRequestStatus: {
      fields: {
        conditions: { n: 1, type: '[]CertificateSigningRequestCondition', list: 'map', keys: ['type'], rules: ['listType=map @alpha 1.36', 'listMapKey=type @alpha 1.36', 'customUnique @alpha 1.36', 'optional @alpha 1.36', 'item(type: "Approved")=zeroOrOneOfMember @alpha 1.36', 'item(type: "Denied")=zeroOrOneOfMember @alpha 1.36'] },
        certificate: { n: 2, type: 'bytes', format: 'byte' },
      },
    },
    ClusterTrustBundle: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'ClusterTrustBundleSpec', omit: 'never', required: true },
      },
    },
    ClusterTrustBundleList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]ClusterTrustBundle', omit: 'never', required: true },
      },
    },
    ClusterTrustBundleSpec: {
      fields: {
        signerName: { n: 1, type: 'string' },
        trustBundle: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    ExtraValue: {
      wrapper: 'list',
      fields: {
        items: { n: 1, type: '[]string' },
      },
    },
    PodCertificateRequest: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'PodCertificateRequestSpec', omit: 'never', required: true },
        status: { n: 3, type: 'PodCertificateRequestStatus' },
      },
    },
    PodCertificateRequestList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]PodCertificateRequest', omit: 'never', required: true },
      },
    },
    PodCertificateRequestSpec: {
      fields: {
        signerName: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        podName: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
        podUID: { n: 3, type: 'string', omit: 'never', required: true, default: '', alias: 'UID' },
        serviceAccountName: { n: 4, type: 'string', omit: 'never', required: true, default: '' },
        serviceAccountUID: { n: 5, type: 'string', omit: 'never', required: true, default: '', alias: 'UID' },
        nodeName: { n: 6, type: 'string', omit: 'never', required: true, default: '', alias: 'NodeName' },
        nodeUID: { n: 7, type: 'string', omit: 'never', required: true, default: '', alias: 'UID' },
        maxExpirationSeconds: { n: 8, type: '*int32', default: 86400, format: 'int32' },
        pkixPublicKey: { n: 9, type: 'bytes', omit: 'never', format: 'byte', deprecated: true },
        proofOfPossession: { n: 10, type: 'bytes', omit: 'never', format: 'byte', deprecated: true },
        stubPKCS10Request: { n: 12, type: 'bytes', omit: 'never', required: true, format: 'byte' },
        unverifiedUserAnnotations: { n: 11, type: 'map[string]string' },
      },
    },
    PodCertificateRequestStatus: {
      fields: {
        conditions: { n: 1, type: '[]meta/v1.Condition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
        certificateChain: { n: 2, type: 'string' },
        notBefore: { n: 4, type: '*Time' },
        beginRefreshAt: { n: 5, type: '*Time' },
        notAfter: { n: 6, type: '*Time' },
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
      introduced: '1.33',
      deprecated: '1.37',
      removed: '1.40',
      fieldSelectors: ['metadata.name', 'spec.signerName'],
      deleteReturns: 'Status',
      conditionalUpdateOnly: true,
    },
    podcertificaterequests: {
      kind: 'PodCertificateRequest',
      singular: 'podcertificaterequest',
      listKind: 'PodCertificateRequestList',
      namespaced: true,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1beta1',
      storagePrefix: 'podcertificaterequests',
      storageVersionHash: 'wYA9yXQH8fg=',
      served: false,
      introduced: '1.35',
      deprecated: '1.38',
      removed: '1.41',
      fieldSelectors: ['metadata.name', 'metadata.namespace', 'spec.signerName', 'spec.podName', 'spec.nodeName'],
      deleteReturns: 'Status',
      conditionalUpdateOnly: true,
      resetFields: { '': [], status: ['spec'] },
      subresources: {
        status: { kind: 'PodCertificateRequest', verbs: ['get', 'patch', 'update'], served: false },
      },
    },
  },
}
