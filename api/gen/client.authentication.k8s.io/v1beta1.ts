// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
export type Cluster = {
  server: string
  'tls-server-name'?: string
  'insecure-skip-tls-verify'?: boolean
  'certificate-authority-data'?: string
  'proxy-url'?: string
  'disable-compression'?: boolean
  config?: JsonValue
}

export type ExecCredential = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  spec: ExecCredentialSpec
  status?: ExecCredentialStatus
}

export type ExecCredentialSpec = {
  cluster?: Cluster
  interactive: boolean
}

export type ExecCredentialStatus = {
  expirationTimestamp?: string
  token?: string
  clientCertificateData?: string
  clientKeyData?: string
}
