import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const clientcmdV1: GroupVersionTable = {
  group: 'clientcmd',
  version: 'v1',
  protoPackage: 'k8s.io.client_go.tools.clientcmd.api.v1',
  types: {
    AuthInfo: {
      fields: {
        'client-certificate': { type: 'string' },
        'client-certificate-data': { type: 'bytes' },
        'client-key': { type: 'string' },
        'client-key-data': { type: 'bytes' },
        token: { type: 'string' },
        tokenFile: { type: 'string' },
        as: { type: 'string' },
        'as-uid': { type: 'string' },
        'as-groups': { type: '[]string' },
        'as-user-extra': { type: 'map[string][]string' },
        username: { type: 'string' },
        password: { type: 'string' },
        'auth-provider': { type: '*AuthProviderConfig' },
        exec: { type: '*ExecConfig' },
        extensions: { type: '[]NamedExtension' },
      },
    },
    AuthProviderConfig: {
      fields: {
        name: { type: 'string', omit: 'never' },
        config: { type: 'map[string]string', omit: 'never' },
      },
    },
    Cluster: {
      fields: {
        server: { type: 'string', omit: 'never' },
        'tls-server-name': { type: 'string' },
        'insecure-skip-tls-verify': { type: 'bool' },
        'certificate-authority': { type: 'string' },
        'certificate-authority-data': { type: 'bytes' },
        'proxy-url': { type: 'string' },
        'disable-compression': { type: 'bool' },
        extensions: { type: '[]NamedExtension' },
      },
    },
    Config: {
      kind: true,
      fields: {
        kind: { type: 'string' },
        apiVersion: { type: 'string' },
        preferences: { type: 'Preferences', omit: 'zero' },
        clusters: { type: '[]NamedCluster', omit: 'never' },
        users: { type: '[]NamedAuthInfo', omit: 'never' },
        contexts: { type: '[]NamedContext', omit: 'never' },
        'current-context': { type: 'string', omit: 'never' },
        extensions: { type: '[]NamedExtension' },
      },
    },
    Context: {
      fields: {
        cluster: { type: 'string', omit: 'never' },
        user: { type: 'string', omit: 'never' },
        namespace: { type: 'string' },
        extensions: { type: '[]NamedExtension' },
      },
    },
    ExecConfig: {
      fields: {
        command: { type: 'string', omit: 'never' },
        args: { type: '[]string', omit: 'never' },
        env: { type: '[]ExecEnvVar', omit: 'never' },
        apiVersion: { type: 'string' },
        installHint: { type: 'string' },
        provideClusterInfo: { type: 'bool', omit: 'never' },
        interactiveMode: { type: 'string', alias: 'ExecInteractiveMode' },
      },
    },
    ExecEnvVar: {
      fields: {
        name: { type: 'string', omit: 'never' },
        value: { type: 'string', omit: 'never' },
      },
    },
    NamedAuthInfo: {
      fields: {
        name: { type: 'string', omit: 'never' },
        user: { type: 'AuthInfo', omit: 'never' },
      },
    },
    NamedCluster: {
      fields: {
        name: { type: 'string', omit: 'never' },
        cluster: { type: 'Cluster', omit: 'never' },
      },
    },
    NamedContext: {
      fields: {
        name: { type: 'string', omit: 'never' },
        context: { type: 'Context', omit: 'never' },
      },
    },
    NamedExtension: {
      fields: {
        name: { type: 'string', omit: 'never' },
        extension: { type: 'RawExtension', omit: 'never' },
      },
    },
    Preferences: {
      fields: {
        colors: { type: 'bool' },
        extensions: { type: '[]NamedExtension' },
      },
    },
  },
}
