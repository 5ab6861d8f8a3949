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
        'client-certificate-data': { type: 'bytes', doc: 'Certificate of the client, in PEM; has precedence over the file.' },
        'client-key': { type: 'string', doc: 'File with the key of the client.' },
        'client-key-data': { type: 'bytes', doc: 'Key of the client, in PEM; has precedence over the file.' },
        token: { type: 'string', doc: 'A bearer token.' },
        tokenFile: { type: 'string', doc: 'File with a bearer token, read again from time to time.' },
        as: { type: 'string', doc: 'User to impersonate.' },
        'as-uid': { type: 'string', doc: 'UID to impersonate.' },
        'as-groups': { type: '[]string', doc: 'Groups to impersonate.' },
        'as-user-extra': { type: 'map[string][]string', doc: 'Further attributes to impersonate.' },
        username: { type: 'string', doc: 'User name for basic authentication.' },
        password: { type: 'string', doc: 'Password for basic authentication.' },
        'auth-provider': { type: '*AuthProviderConfig', doc: 'A built-in provider of credentials.' },
        exec: { type: '*ExecConfig', doc: 'A program that provides credentials.' },
        extensions: { type: '[]NamedExtension', doc: 'Further settings.' },
      },
    },
    AuthProviderConfig: {
      doc: 'Present clients have none built in; use exec.',
      fields: {
        name: { type: 'string', omit: 'never', doc: 'Name of it.' },
        config: { type: 'map[string]string', omit: 'never', doc: 'Its settings.' },
      },
    },
    Cluster: {
      doc: 'How to connect to a cluster.',
      fields: {
        server: { type: 'string', omit: 'never', doc: 'Address of the server, as a URL.' },
        'tls-server-name': { type: 'string', doc: "Expected name of the server's certificate; that of the URL when empty." },
        'insecure-skip-tls-verify': { type: 'bool', doc: "Does not verify the server's certificate. Defaults to false." },
        'certificate-authority': { type: 'string', doc: 'File with the certificates to verify the server.' },
        'certificate-authority-data': { type: 'bytes', doc: 'Certificates, in PEM, to verify the server; have precedence over the file.' },
        'proxy-url': { type: 'string', doc: 'URL of a proxy: http, https or socks5.' },
        'disable-compression': { type: 'bool', doc: 'Requests answers without compression. Defaults to false.' },
        extensions: { type: '[]NamedExtension', doc: 'Further settings.' },
      },
    },
    Config: {
      doc: 'A kubeconfig: clusters, users and their combinations.',
      kind: true,
      fields: {
        kind: { type: 'string', doc: 'Config.' },
        apiVersion: { type: 'string', doc: 'Version of the format: v1.' },
        preferences: { type: 'Preferences', omit: 'zero', doc: 'Deprecated: preferences of the command line.' },
        clusters: { type: '[]NamedCluster', omit: 'never', doc: 'Clusters, by name.' },
        users: { type: '[]NamedAuthInfo', omit: 'never', doc: 'Credentials, by name.' },
        contexts: { type: '[]NamedContext', omit: 'never', doc: 'Combinations of users and clusters, by name.' },
        'current-context': { type: 'string', omit: 'never', doc: 'Name of the present context.' },
        extensions: { type: '[]NamedExtension', doc: 'Further settings.' },
      },
    },
    Context: {
      doc: 'A combination of a cluster and a user.',
      fields: {
        cluster: { type: 'string', omit: 'never', doc: 'Name of the cluster.' },
        user: { type: 'string', omit: 'never', doc: 'Name of the credentials.' },
        namespace: { type: 'string', doc: 'Namespace to use when none is given.' },
        extensions: { type: '[]NamedExtension', doc: 'Further settings.' },
      },
    },
    ExecConfig: {
      doc: 'Its input and output are an ExecCredential.',
      fields: {
        command: { type: 'string', omit: 'never', doc: 'The program.' },
        args: { type: '[]string', omit: 'never', doc: 'Its arguments.' },
        env: { type: '[]ExecEnvVar', omit: 'never', doc: 'Further environment variables.' },
        apiVersion: { type: 'string', doc: 'Version of ExecCredential in its output.' },
        installHint: { type: 'string', doc: 'Hint for users when the program is missing.' },
        provideClusterInfo: { type: 'bool', omit: 'never', doc: 'Passes the cluster to the program. Defaults to false.' },
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
      doc: 'Deprecated: not used.',
      fields: {
        colors: { type: 'bool', doc: 'Colors the output.' },
        extensions: { type: '[]NamedExtension', doc: 'Further settings.' },
      },
    },
  },
}
