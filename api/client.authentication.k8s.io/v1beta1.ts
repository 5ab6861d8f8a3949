import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const clientAuthenticationV1beta1: GroupVersionTable = {
  group: 'client.authentication.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.client_go.pkg.apis.clientauthentication.v1beta1',
  types: {
    Cluster: {
      fields: {
        server: { type: 'string', omit: 'never', required: true, default: '' },
        'tls-server-name': { type: 'string' },
        'insecure-skip-tls-verify': { type: 'bool' },
        'certificate-authority-data': { type: 'bytes', list: 'atomic', format: 'byte' },
        'proxy-url': { type: 'string' },
        'disable-compression': { type: 'bool' },
        config: { type: 'RawExtension' },
      },
    },
    ExecCredential: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        spec: { type: 'ExecCredentialSpec' },
        status: { type: '*ExecCredentialStatus' },
      },
    },
    ExecCredentialSpec: {
      fields: {
        cluster: { type: '*Cluster' },
        interactive: { type: 'bool', omit: 'never', required: true, default: false },
      },
    },
    ExecCredentialStatus: {
      fields: {
        expirationTimestamp: { type: '*Time' },
        token: { type: 'string' },
        clientCertificateData: { type: 'string' },
        clientKeyData: { type: 'string' },
      },
    },
  },
}
