import { readableAuthorities } from './certificates.ts'

interface ClientPems {
  /** Absent: the authorities that Node trusts. */
  readonly ca?: string | undefined
  /** The client's certificate and its key. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
}

/**
 * TLS options for every connection that this project opens: which servers it trusts, and its own certificate. Any
 * certificate of the bundle ends a chain, as in Go: an intermediate authority, or the server's own certificate, without
 * the root above it. Names, times and usages are checked all the same. Throws an Error when the bundle has no readable
 * certificate.
 */
export function clientTls({ ca, cert, key }: ClientPems): ClientPems & { readonly allowPartialTrustChain: true } {
  return { ca: ca === undefined ? ca : readableAuthorities(ca), cert, key, allowPartialTrustChain: true }
}
