// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
/** Credentials of a user. */
export type AuthInfo = {
  /** File with the certificate of the client. */
  'client-certificate'?: string
  /** Certificate of the client, in PEM; wins over the file. */
  'client-certificate-data'?: string
  /** File with the key of the client. */
  'client-key'?: string
  /** Key of the client, in PEM; wins over the file. */
  'client-key-data'?: string
  /** A bearer token. */
  token?: string
  /** File with a bearer token, read again from time to time. */
  tokenFile?: string
  /** User to act as. */
  as?: string
  /** UID to act with. */
  'as-uid'?: string
  /** Groups to act with. */
  'as-groups'?: string[]
  /** Further attributes to act with. */
  'as-user-extra'?: Record<string, string[]>
  /** User name for basic authentication. */
  username?: string
  /** Password for basic authentication. */
  password?: string
  /** A built-in way to get credentials. */
  'auth-provider'?: AuthProviderConfig
  /** A program that makes credentials. */
  exec?: ExecConfig
  /** Further settings. */
  extensions?: NamedExtension[]
}

/** Clients of today have none built in; use exec. */
export type AuthProviderConfig = {
  /** Name of it. */
  name: string
  /** Its settings. */
  config?: Record<string, string>
}

/** How a cluster is reached. */
export type Cluster = {
  /** Address of the server, as a URL. */
  server: string
  /** Name that the server's certificate must be for; that of the URL when empty. */
  'tls-server-name'?: string
  /** Does not verify the server's certificate. Defaults to false. */
  'insecure-skip-tls-verify'?: boolean
  /** File with the certificates to verify the server by. */
  'certificate-authority'?: string
  /** Certificates, in PEM, to verify the server by; win over the file. */
  'certificate-authority-data'?: string
  /** URL of a proxy: http, https or socks5. */
  'proxy-url'?: string
  /** Asks for answers without compression. Defaults to false. */
  'disable-compression'?: boolean
  /** Further settings. */
  extensions?: NamedExtension[]
}

/** Clusters, users and how they go together: a kubeconfig. */
export type Config = {
  /** Config. */
  kind: string
  /** Version of the format: v1. */
  apiVersion: string
  /** Deprecated: preferences of the command line. */
  preferences?: Preferences
  /** Clusters, by name. */
  clusters?: NamedCluster[]
  /** Credentials, by name. */
  users?: NamedAuthInfo[]
  /** Which users go with which clusters, by name. */
  contexts?: NamedContext[]
  /** Name of the context that is in use. */
  'current-context': string
  /** Further settings. */
  extensions?: NamedExtension[]
}

/** A cluster and a user that go together. */
export type Context = {
  /** Name of the cluster. */
  cluster: string
  /** Name of the credentials. */
  user: string
  /** Namespace to use when none is given. */
  namespace?: string
  /** Further settings. */
  extensions?: NamedExtension[]
}

/** It is given, and answers, an ExecCredential. */
export type ExecConfig = {
  /** The program. */
  command: string
  /** Its arguments. */
  args?: string[]
  /** Further environment variables. */
  env?: ExecEnvVar[]
  /** Version of ExecCredential that it answers in. */
  apiVersion?: string
  /** What to tell people when the program is missing. */
  installHint?: string
  /** Tells the program about the cluster. Defaults to false. */
  provideClusterInfo: boolean
  /** Whether it gets standard input: Never, IfAvailable or Always. */
  interactiveMode?: string
}

/** An environment variable. */
export type ExecEnvVar = {
  /** Name of the variable. */
  name: string
  /** Value of the variable. */
  value: string
}

/** Credentials and their name. */
export type NamedAuthInfo = {
  /** The name. */
  name: string
  /** The credentials. */
  user: AuthInfo
}

/** A cluster and its name. */
export type NamedCluster = {
  /** The name. */
  name: string
  /** The cluster. */
  cluster: Cluster
}

/** A context and its name. */
export type NamedContext = {
  /** The name. */
  name: string
  /** The context. */
  context: Context
}

/** Further settings and their name. */
export type NamedExtension = {
  /** The name. */
  name: string
  /** The settings. */
  extension?: JsonValue
}

/** Deprecated: nothing reads them. */
export type Preferences = {
  /** Colors the output. */
  colors?: boolean
  /** Further settings. */
  extensions?: NamedExtension[]
}
