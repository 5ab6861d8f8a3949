/** A server of somebody else's, and who we are to it. */
export interface Endpoint {
  readonly url: string
  /** PEM; absent: the authorities that node trusts. */
  readonly ca?: string
  /** Our certificate and key, PEM. */
  readonly cert?: string
  readonly key?: string
  /** Name that the server's certificate must have; absent: that of the URL. */
  readonly serverName?: string
  /** The server's certificate is not verified. */
  readonly insecure?: boolean
  /** Value of the Authorization header. */
  readonly authorization?: string
}
