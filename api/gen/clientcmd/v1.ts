// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
export type AuthInfo = {
  'client-certificate'?: string
  'client-certificate-data'?: string
  'client-key'?: string
  'client-key-data'?: string
  token?: string
  tokenFile?: string
  as?: string
  'as-uid'?: string
  'as-groups'?: string[]
  'as-user-extra'?: Record<string, string[]>
  username?: string
  password?: string
  'auth-provider'?: AuthProviderConfig
  exec?: ExecConfig
  extensions?: NamedExtension[]
}

export type AuthProviderConfig = {
  name: string
  config?: Record<string, string>
}

export type Cluster = {
  server: string
  'tls-server-name'?: string
  'insecure-skip-tls-verify'?: boolean
  'certificate-authority'?: string
  'certificate-authority-data'?: string
  'proxy-url'?: string
  'disable-compression'?: boolean
  extensions?: NamedExtension[]
}

export type Config = {
  kind: string
  apiVersion: string
  preferences?: Preferences
  clusters?: NamedCluster[]
  users?: NamedAuthInfo[]
  contexts?: NamedContext[]
  'current-context': string
  extensions?: NamedExtension[]
}

export type Context = {
  cluster: string
  user: string
  namespace?: string
  extensions?: NamedExtension[]
}

export type ExecConfig = {
  command: string
  args?: string[]
  env?: ExecEnvVar[]
  apiVersion?: string
  installHint?: string
  provideClusterInfo: boolean
  interactiveMode?: string
}

export type ExecEnvVar = {
  name: string
  value: string
}

export type NamedAuthInfo = {
  name: string
  user: AuthInfo
}

export type NamedCluster = {
  name: string
  cluster: Cluster
}

export type NamedContext = {
  name: string
  context: Context
}

export type NamedExtension = {
  name: string
  extension?: JsonValue
}

export type Preferences = {
  colors?: boolean
  extensions?: NamedExtension[]
}
