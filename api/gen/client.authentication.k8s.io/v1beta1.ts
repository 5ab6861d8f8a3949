// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
/** The cluster that credentials are for. */
export type Cluster = {
  /** Address of the server, as a URL. */
  server: string
  /** Expected name of the server's certificate; that of the URL when empty. */
  'tls-server-name'?: string
  /** Does not verify the server's certificate. Defaults to false. */
  'insecure-skip-tls-verify'?: boolean
  /** Certificates, in PEM, to verify the server. */
  'certificate-authority-data'?: string
  /** URL of a proxy. */
  'proxy-url'?: string
  /** Requests answers without compression. Defaults to false. */
  'disable-compression'?: boolean
  /** Settings from the kubeconfig for the program, from its extension for exec. */
  config?: JsonValue
}

/** Input and output of a program that provides credentials. */
export type ExecCredential = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Input of the program. */
  spec: ExecCredentialSpec
  /** Output of the program: a token, or a certificate and key. */
  status?: ExecCredentialStatus
}

/** Input of a program that provides credentials. */
export type ExecCredentialSpec = {
  /** The cluster; only with provideClusterInfo. */
  cluster?: Cluster
  /** Whether it may use standard input. */
  interactive: boolean
}

/** Credentials. */
export type ExecCredentialStatus = {
  /** When they expire; when unset, they are kept until the server refuses them. */
  expirationTimestamp?: string
  /** A bearer token. */
  token?: string
  /** A certificate and its chain, in PEM. */
  clientCertificateData?: string
  /** The key of the certificate, in PEM. */
  clientKeyData?: string
}
