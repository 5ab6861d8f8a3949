import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const certificatesV1: GroupVersionTable = {
  group: 'certificates.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.certificates.v1',
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
        status: { n: 6, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus', doc: 'Whether the condition holds; Approved, Denied and Failed are always True.' },
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
        signerName: { n: 7, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the signer, such as kubernetes.io/kube-apiserver-client.' },
        expirationSeconds: { n: 8, type: '*int32', format: 'int32', doc: 'Requested seconds of validity, at least 600; the signer decides.' },
        usages: { n: 5, type: '[]string', list: 'atomic', alias: 'KeyUsage', itemEnum: ['any', 'cert sign', 'client auth', 'code signing', 'content commitment', 'crl sign', 'data encipherment', 'decipher only', 'digital signature', 'email protection', 'encipher only', 'ipsec end system', 'ipsec tunnel', 'ipsec user', 'key agreement', 'key encipherment', 'microsoft sgc', 'netscape sgc', 'ocsp signing', 's/mime', 'server auth', 'signing', 'timestamping'], doc: 'Permitted usages of the key.' },
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
    ExtraValue: {
      doc: 'Values of one further attribute of a user.',
      wrapper: 'list',
      fields: {
        items: { n: 1, type: '[]string', doc: 'The values.' },
      },
    },
  },
  resources: {
    certificatesigningrequests: {
      kind: 'CertificateSigningRequest',
      singular: 'certificatesigningrequest',
      listKind: 'CertificateSigningRequestList',
      namespaced: false,
      shortNames: ['csr'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'certificatesigningrequests',
      storageVersionHash: '95fRKMXA+00=',
      introduced: '1.19',
      fieldSelectors: ['metadata.name', 'spec.signerName'],
      deleteReturns: 'Status',
      resetFields: { '': ['spec', 'status'], status: ['spec', 'status.conditions'], approval: ['spec', 'status.certificate'] },
      subresources: {
        approval: { kind: 'CertificateSigningRequest', verbs: ['get', 'patch', 'update'] },
        status: { kind: 'CertificateSigningRequest', verbs: ['get', 'patch', 'update'] },
      },
    },
  },
}
