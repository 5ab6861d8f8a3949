import type { CredentialSource, Credentials } from './credentials.ts'

/** Another server, and our credentials for it. */
export interface Endpoint extends Credentials {
  readonly url: string
  /** PEM; absent: the authorities that node trusts. */
  readonly ca?: string
  /** Unix socket to connect to, instead of the URL's host. */
  readonly socketPath?: string
  /** Name that the server's certificate must have; absent: that of the URL. */
  readonly serverName?: string
  /** Where to connect to, instead of the URL's host and port; asked for each connection. */
  readonly dial?: () => { readonly host: string; readonly port: number }
  /** The server's certificate is not verified. */
  readonly insecure?: boolean
  /** Asked for each request, instead of the credentials that stand here. */
  readonly credentials?: CredentialSource
}
