import type { Dialer } from '../egress/index.ts'
import type { CredentialSource, Credentials } from './credentials.ts'

/** Another server, and the client's credentials for it. */
export interface ServerEndpoint extends Credentials {
  readonly url: string
  /** PEM; absent: the authorities that Node trusts. */
  readonly ca?: string
  /** Unix socket to connect to, instead of the URL's host. */
  readonly socketPath?: string
  /** Expected name of the server's certificate; absent: that of the URL. */
  readonly serverName?: string
  /** Address to connect to, instead of the URL's host and port; called for each connection. */
  readonly dial?: () => { readonly host: string; readonly port: number }
  /** Opens connections through a proxy; absent: they are direct. */
  readonly dialer?: Dialer | undefined
  /** The server's certificate is not verified. */
  readonly insecure?: boolean
  /** Provides the credentials of each request, instead of the fixed ones of this endpoint. */
  readonly credentials?: CredentialSource
}
