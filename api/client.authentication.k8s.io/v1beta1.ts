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
        'tls-server-name': { type: 'string', doc: "Name that the server's certificate must be for; that of the URL when empty." },
        'insecure-skip-tls-verify': { type: 'bool', doc: "Does not verify the server's certificate. Defaults to false." },
        'certificate-authority-data': { type: 'bytes', list: 'atomic', format: 'byte', doc: 'Certificates, in PEM, to verify the server by.' },
        'proxy-url': { type: 'string', doc: 'URL of a proxy.' },
        'disable-compression': { type: 'bool', doc: 'Asks for answers without compression. Defaults to false.' },
        config: { type: 'RawExtension', doc: 'Settings from the kubeconfig for the program, from its extension for exec.' },
      },
    },
    ExecCredential: {
      doc: 'What a program that makes credentials is given, and what it answers.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        spec: { type: 'ExecCredentialSpec', doc: 'What it is given.' },
        status: { type: '*ExecCredentialStatus', doc: 'What it answers: a token, or a certificate and key.' },
      },
    },
    ExecCredentialSpec: {
      doc: 'What a program that makes credentials is given.',
      fields: {
        cluster: { type: '*Cluster', doc: 'The cluster; only with provideClusterInfo.' },
        interactive: { type: 'bool', omit: 'never', required: true, default: false, doc: 'Whether it may use standard input.' },
      },
    },
    ExecCredentialStatus: {
      doc: 'Credentials.',
      fields: {
        expirationTimestamp: { type: '*Time', doc: 'When they cease to be valid; unset keeps them until the server refuses them.' },
        token: { type: 'string', doc: 'A bearer token.' },
        clientCertificateData: { type: 'string', doc: 'A certificate and its chain, in PEM.' },
        clientKeyData: { type: 'string', doc: 'The key of the certificate, in PEM.' },
      },
    },
  },
}
