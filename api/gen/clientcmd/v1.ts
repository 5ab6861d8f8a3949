// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
/** Credentials of a user. */
export type AuthInfo = {
  /** File with the certificate of the client. */
  'client-certificate'?: string
  /** Certificate of the client, in PEM; has precedence over the file. */
  'client-certificate-data'?: string
  /** File with the key of the client. */
  'client-key'?: string
  /** Key of the client, in PEM; has precedence over the file. */
  'client-key-data'?: string
  /** A bearer token. */
  token?: string
  /** File with a bearer token, read again from time to time. */
  tokenFile?: string
  /** User to impersonate. */
  as?: string
  /** UID to impersonate. */
  'as-uid'?: string
  /** Groups to impersonate. */
  'as-groups'?: string[]
  /** Further attributes to impersonate. */
  'as-user-extra'?: Record<string, string[]>
  /** User name for basic authentication. */
  username?: string
  /** Password for basic authentication. */
  password?: string
  /** A built-in provider of credentials. */
  'auth-provider'?: AuthProviderConfig
  /** A program that provides credentials. */
  exec?: ExecConfig
  /** Further settings. */
  extensions?: NamedExtension[]
}

/** Present clients have none built in; use exec. */
export type AuthProviderConfig = {
  /** Name of it. */
  name: string
  /** Its settings. */
  config?: Record<string, string>
}

/** How to connect to a cluster. */
export type Cluster = {
  /** Address of the server, as a URL. */
  server: string
  /** Expected name of the server's certificate; that of the URL when empty. */
  'tls-server-name'?: string
  /** Does not verify the server's certificate. Defaults to false. */
  'insecure-skip-tls-verify'?: boolean
  /** File with the certificates to verify the server. */
  'certificate-authority'?: string
  /** Certificates, in PEM, to verify the server; have precedence over the file. */
  'certificate-authority-data'?: string
  /** URL of a proxy: http, https or socks5. */
  'proxy-url'?: string
  /** Requests answers without compression. Defaults to false. */
  'disable-compression'?: boolean
  /** Further settings. */
  extensions?: NamedExtension[]
}

/** A kubeconfig: clusters, users and their combinations. */
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
  /** Combinations of users and clusters, by name. */
  contexts?: NamedContext[]
  /** Name of the present context. */
  'current-context': string
  /** Further settings. */
  extensions?: NamedExtension[]
}

/** A combination of a cluster and a user. */
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

/** Its input and output are an ExecCredential. */
export type ExecConfig = {
  /** The program. */
  command: string
  /** Its arguments. */
  args?: string[]
  /** Further environment variables. */
  env?: ExecEnvVar[]
  /** Version of ExecCredential in its output. */
  apiVersion?: string
  /** Hint for users when the program is missing. */
  installHint?: string
  /** Passes the cluster to the program. Defaults to false. */
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

/** Deprecated: not used. */
export type Preferences = {
  /** Colors the output. */
  colors?: boolean
  /** Further settings. */
  extensions?: NamedExtension[]
}
