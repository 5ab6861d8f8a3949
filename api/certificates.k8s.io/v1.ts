import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const certificatesV1: GroupVersionTable = {
  group: 'certificates.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.certificates.v1',
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
        status: { n: 6, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus' },
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
        signerName: { n: 7, type: 'string', omit: 'never', required: true, default: '' },
        expirationSeconds: { n: 8, type: '*int32', format: 'int32' },
        usages: { n: 5, type: '[]string', list: 'atomic', alias: 'KeyUsage', itemEnum: ['any', 'cert sign', 'client auth', 'code signing', 'content commitment', 'crl sign', 'data encipherment', 'decipher only', 'digital signature', 'email protection', 'encipher only', 'ipsec end system', 'ipsec tunnel', 'ipsec user', 'key agreement', 'key encipherment', 'microsoft sgc', 'netscape sgc', 'ocsp signing', 's/mime', 'server auth', 'signing', 'timestamping'] },
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
    ExtraValue: {
      wrapper: 'list',
      fields: {
        items: { n: 1, type: '[]string' },
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
