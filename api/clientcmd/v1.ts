import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const clientcmdV1: GroupVersionTable = {
  group: 'clientcmd',
  version: 'v1',
  protoPackage: 'k8s.io.client_go.tools.clientcmd.api.v1',
  types: {
    AuthInfo: {
      doc: 'Credentials of a user.',
      fields: {
        'client-certificate': { type: 'string', doc: 'File with the certificate of the client.' },
        'client-certificate-data': { type: 'bytes', doc: 'Certificate of the client, in PEM; wins over the file.' },
        'client-key': { type: 'string', doc: 'File with the key of the client.' },
        'client-key-data': { type: 'bytes', doc: 'Key of the client, in PEM; wins over the file.' },
        token: { type: 'string', doc: 'A bearer token.' },
        tokenFile: { type: 'string', doc: 'File with a bearer token, read again from time to time.' },
        as: { type: 'string', doc: 'User to act as.' },
        'as-uid': { type: 'string', doc: 'UID to act with.' },
        'as-groups': { type: '[]string', doc: 'Groups to act with.' },
        'as-user-extra': { type: 'map[string][]string', doc: 'Further attributes to act with.' },
        username: { type: 'string', doc: 'User name for basic authentication.' },
        password: { type: 'string', doc: 'Password for basic authentication.' },
        'auth-provider': { type: '*AuthProviderConfig', doc: 'A built-in way to get credentials.' },
        exec: { type: '*ExecConfig', doc: 'A program that makes credentials.' },
        extensions: { type: '[]NamedExtension', doc: 'Further settings.' },
      },
    },
    AuthProviderConfig: {
      doc: 'Clients of today have none built in; use exec.',
      fields: {
        name: { type: 'string', omit: 'never', doc: 'Name of it.' },
        config: { type: 'map[string]string', omit: 'never', doc: 'Its settings.' },
      },
    },
    Cluster: {
      doc: 'How a cluster is reached.',
      fields: {
        server: { type: 'string', omit: 'never', doc: 'Address of the server, as a URL.' },
        'tls-server-name': { type: 'string', doc: "Name that the server's certificate must be for; that of the URL when empty." },
        'insecure-skip-tls-verify': { type: 'bool', doc: "Does not verify the server's certificate. Defaults to false." },
        'certificate-authority': { type: 'string', doc: 'File with the certificates to verify the server by.' },
        'certificate-authority-data': { type: 'bytes', doc: 'Certificates, in PEM, to verify the server by; win over the file.' },
        'proxy-url': { type: 'string', doc: 'URL of a proxy: http, https or socks5.' },
        'disable-compression': { type: 'bool', doc: 'Asks for answers without compression. Defaults to false.' },
        extensions: { type: '[]NamedExtension', doc: 'Further settings.' },
      },
    },
    Config: {
      doc: 'Clusters, users and how they go together: a kubeconfig.',
      kind: true,
      fields: {
        kind: { type: 'string', doc: 'Config.' },
        apiVersion: { type: 'string', doc: 'Version of the format: v1.' },
        preferences: { type: 'Preferences', omit: 'zero', doc: 'Deprecated: preferences of the command line.' },
        clusters: { type: '[]NamedCluster', omit: 'never', doc: 'Clusters, by name.' },
        users: { type: '[]NamedAuthInfo', omit: 'never', doc: 'Credentials, by name.' },
        contexts: { type: '[]NamedContext', omit: 'never', doc: 'Which users go with which clusters, by name.' },
        'current-context': { type: 'string', omit: 'never', doc: 'Name of the context that is in use.' },
        extensions: { type: '[]NamedExtension', doc: 'Further settings.' },
      },
    },
    Context: {
      doc: 'A cluster and a user that go together.',
      fields: {
        cluster: { type: 'string', omit: 'never', doc: 'Name of the cluster.' },
        user: { type: 'string', omit: 'never', doc: 'Name of the credentials.' },
        namespace: { type: 'string', doc: 'Namespace to use when none is given.' },
        extensions: { type: '[]NamedExtension', doc: 'Further settings.' },
      },
    },
    ExecConfig: {
      doc: 'It is given, and answers, an ExecCredential.',
      fields: {
        command: { type: 'string', omit: 'never', doc: 'The program.' },
        args: { type: '[]string', omit: 'never', doc: 'Its arguments.' },
        env: { type: '[]ExecEnvVar', omit: 'never', doc: 'Further environment variables.' },
        apiVersion: { type: 'string', doc: 'Version of ExecCredential that it answers in.' },
        installHint: { type: 'string', doc: 'What to tell people when the program is missing.' },
        provideClusterInfo: { type: 'bool', omit: 'never', doc: 'Tells the program about the cluster. Defaults to false.' },
        interactiveMode: { type: 'string', alias: 'ExecInteractiveMode', doc: 'Whether it gets standard input: Never, IfAvailable or Always.' },
      },
    },
    ExecEnvVar: {
      doc: 'An environment variable.',
      fields: {
        name: { type: 'string', omit: 'never', doc: 'Name of the variable.' },
        value: { type: 'string', omit: 'never', doc: 'Value of the variable.' },
      },
    },
    NamedAuthInfo: {
      doc: 'Credentials and their name.',
      fields: {
        name: { type: 'string', omit: 'never', doc: 'The name.' },
        user: { type: 'AuthInfo', omit: 'never', doc: 'The credentials.' },
      },
    },
    NamedCluster: {
      doc: 'A cluster and its name.',
      fields: {
        name: { type: 'string', omit: 'never', doc: 'The name.' },
        cluster: { type: 'Cluster', omit: 'never', doc: 'The cluster.' },
      },
    },
    NamedContext: {
      doc: 'A context and its name.',
      fields: {
        name: { type: 'string', omit: 'never', doc: 'The name.' },
        context: { type: 'Context', omit: 'never', doc: 'The context.' },
      },
    },
    NamedExtension: {
      doc: 'Further settings and their name.',
      fields: {
        name: { type: 'string', omit: 'never', doc: 'The name.' },
        extension: { type: 'RawExtension', omit: 'never', doc: 'The settings.' },
      },
    },
    Preferences: {
      doc: 'Deprecated: nothing reads them.',
      fields: {
        colors: { type: 'bool', doc: 'Colors the output.' },
        extensions: { type: '[]NamedExtension', doc: 'Further settings.' },
      },
    },
  },
}
