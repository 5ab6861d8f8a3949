import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const clientAuthenticationV1beta1: GroupVersionTable = {
  group: 'client.authentication.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.client_go.pkg.apis.clientauthentication.v1beta1',
  types: {
    Cluster: {
      doc: 'The cluster that credentials are for.',
      fields: {
        server: { type: 'string', omit: 'never', required: true, default: '', doc: 'Address of the server, as a URL.' },
        'tls-server-name': { type: 'string', doc: "Expected name of the server's certificate; that of the URL when empty." },
        'insecure-skip-tls-verify': { type: 'bool', doc: "Does not verify the server's certificate. Defaults to false." },
        'certificate-authority-data': { type: 'bytes', list: 'atomic', format: 'byte', doc: 'Certificates, in PEM, to verify the server.' },
        'proxy-url': { type: 'string', doc: 'URL of a proxy.' },
        'disable-compression': { type: 'bool', doc: 'Requests answers without compression. Defaults to false.' },
        config: { type: 'RawExtension', doc: 'Settings from the kubeconfig for the program, from its extension for exec.' },
      },
    },
    ExecCredential: {
      doc: 'Input and output of a program that provides credentials.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        spec: { type: 'ExecCredentialSpec', doc: 'Input of the program.' },
        status: { type: '*ExecCredentialStatus', doc: 'Output of the program: a token, or a certificate and key.' },
      },
    },
    ExecCredentialSpec: {
      doc: 'Input of a program that provides credentials.',
      fields: {
        cluster: { type: '*Cluster', doc: 'The cluster; only with provideClusterInfo.' },
        interactive: { type: 'bool', omit: 'never', required: true, default: false, doc: 'Whether it may use standard input.' },
      },
    },
    ExecCredentialStatus: {
      doc: 'Credentials.',
      fields: {
        expirationTimestamp: { type: '*Time', doc: 'When they expire; when unset, they are kept until the server refuses them.' },
        token: { type: 'string', doc: 'A bearer token.' },
        clientCertificateData: { type: 'string', doc: 'A certificate and its chain, in PEM.' },
        clientKeyData: { type: 'string', doc: 'The key of the certificate, in PEM.' },
      },
    },
  },
}
