import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const certificatesV1beta1: GroupVersionTable = {
  group: 'certificates.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.certificates.v1beta1',
  types: {
    CertificateSigningRequest: {
      doc: 'Requests a certificate from a signer; the request must be approved.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'CertificateSigningRequestSpec', omit: 'never', required: true, doc: 'Properties of the certificate. Cannot be changed, except for fields that the server sets.' },
        status: { n: 3, type: 'CertificateSigningRequestStatus', doc: 'Approval, and the certificate.' },
      },
    },
    CertificateSigningRequestCondition: {
      doc: 'One aspect of a request: Approved, Denied or Failed.',
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'RequestConditionType', doc: 'Kind of the condition, in CamelCase; at most one condition of each type.' },
        status: { n: 6, type: 'string', omit: 'never', default: '', alias: 'ConditionStatus', doc: 'Whether the condition holds; Approved, Denied and Failed are always True.' },
        reason: { n: 2, type: 'string', doc: 'Machine-readable cause of the last change, in CamelCase.' },
        message: { n: 3, type: 'string', doc: 'Details of the last change, for people.' },
        lastUpdateTime: { n: 4, type: 'Time', doc: 'When the condition was last written.' },
        lastTransitionTime: { n: 5, type: 'Time', doc: 'When the status last changed from one value to another.' },
      },
    },
    CertificateSigningRequestList: {
      doc: 'A list of CertificateSigningRequest objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]CertificateSigningRequest', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    CertificateSigningRequestSpec: {
      doc: 'Properties of the requested certificate.',
      fields: {
        request: { n: 1, type: 'bytes', omit: 'never', required: true, format: 'byte', doc: 'Signing request of PKCS #10, in PEM.' },
        signerName: { n: 7, type: '*string', doc: 'Name of the signer, such as kubernetes.io/kube-apiserver-client.' },
        expirationSeconds: { n: 8, type: '*int32', format: 'int32', doc: 'Requested seconds of validity, at least 600; the signer decides.' },
        usages: { n: 5, type: '[]string', list: 'atomic', alias: 'KeyUsage', doc: 'Permitted usages of the key.' },
        username: { n: 2, type: 'string', doc: 'Requesting user. Set by the server.' },
        uid: { n: 3, type: 'string', doc: 'UID of the requesting user. Set by the server.' },
        groups: { n: 4, type: '[]string', list: 'atomic', doc: 'Groups of the requesting user. Set by the server.' },
        extra: { n: 6, type: 'map[string]ExtraValue', doc: 'Further attributes of the requesting user. Set by the server.' },
      },
    },
    CertificateSigningRequestStatus: {
      doc: 'State of a request.',
      fields: {
        conditions: { n: 1, type: '[]CertificateSigningRequestCondition', list: 'map', keys: ['type'], rules: ['listType=map @alpha 1.36', 'listMapKey=type @alpha 1.36', 'customUnique @alpha 1.36', 'optional @alpha 1.36', 'item(type: "Approved")=zeroOrOneOfMember @alpha 1.36', 'item(type: "Denied")=zeroOrOneOfMember @alpha 1.36'], doc: 'Whether the request was approved, denied or failed.' },
        certificate: { n: 2, type: 'bytes', format: 'byte', doc: 'The certificate and its chain in PEM, once issued. Cannot be changed then.' },
      },
    },
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
    ExtraValue: {
      doc: 'Values of one further attribute of a user.',
      wrapper: 'list',
      fields: {
        items: { n: 1, type: '[]string', doc: 'The values.' },
      },
    },
    PodCertificateRequest: {
      doc: 'Requests a certificate for a pod; created by kubelets.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'PodCertificateRequestSpec', omit: 'never', required: true, doc: 'Properties of the certificate. Cannot be changed.' },
        status: { n: 3, type: 'PodCertificateRequestStatus', doc: 'State of the request.' },
      },
    },
    PodCertificateRequestList: {
      doc: 'A list of PodCertificateRequest objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]PodCertificateRequest', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    PodCertificateRequestSpec: {
      doc: 'The server checks that the node runs the pod.',
      fields: {
        signerName: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the signer.' },
        podName: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the pod.' },
        podUID: { n: 3, type: 'string', omit: 'never', required: true, default: '', alias: 'UID', doc: 'UID of the pod.' },
        serviceAccountName: { n: 4, type: 'string', omit: 'never', required: true, default: '', doc: 'Service account of the pod.' },
        serviceAccountUID: { n: 5, type: 'string', omit: 'never', required: true, default: '', alias: 'UID', doc: 'UID of the service account.' },
        nodeName: { n: 6, type: 'string', omit: 'never', required: true, default: '', alias: 'NodeName', doc: 'Node that the pod is on.' },
        nodeUID: { n: 7, type: 'string', omit: 'never', required: true, default: '', alias: 'UID', doc: 'UID of the node.' },
        maxExpirationSeconds: { n: 8, type: '*int32', default: 86400, format: 'int32', doc: 'Longest validity, in seconds, at least 3600. Defaults to 86400.' },
        pkixPublicKey: { n: 9, type: 'bytes', omit: 'never', format: 'byte', deprecated: true, doc: 'Deprecated: public key, in DER; now part of stubPKCS10Request.' },
        proofOfPossession: { n: 10, type: 'bytes', omit: 'never', format: 'byte', deprecated: true, doc: 'Deprecated: signature that proves possession of the private key; now part of stubPKCS10Request.' },
        stubPKCS10Request: { n: 12, type: 'bytes', omit: 'never', required: true, format: 'byte', doc: 'Signing request, in DER, with the public key and proof of possession of the private key.' },
        unverifiedUserAnnotations: { n: 11, type: 'map[string]string', doc: 'Further data for the signer, which the server does not check.' },
      },
    },
    PodCertificateRequestStatus: {
      doc: 'Written by the signer, once.',
      fields: {
        conditions: { n: 1, type: '[]meta/v1.Condition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: 'Whether the request was issued, denied or failed.' },
        certificateChain: { n: 2, type: 'string', doc: 'The certificate and its chain, in PEM.' },
        notBefore: { n: 4, type: '*Time', doc: 'When the certificate becomes valid.' },
        beginRefreshAt: { n: 5, type: '*Time', doc: 'When the kubelet should begin to renew it.' },
        notAfter: { n: 6, type: '*Time', doc: 'When the certificate expires.' },
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
      gate: 'PodCertificateRequest',
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
