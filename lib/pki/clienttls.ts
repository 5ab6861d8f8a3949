import { readableAuthorities } from './certificates.ts'

interface ClientPems {
  /** Absent: the authorities that Node trusts. */
  readonly ca?: string | undefined
  /** Our own certificate and its key. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
}

/**
 * Which servers a client of TLS believes, and what it shows them: options of TLS for every connection that this project
 * opens. Any certificate of the bundle ends a chain, as in Go: an authority between, or the server's own certificate,
 * without the root above it. Names, times and usages count all the same. Throws an Error where the bundle has no certificate
 * that can be read.
 */
export function clientTls({ ca, cert, key }: ClientPems): ClientPems & { readonly allowPartialTrustChain: true } {
  return { ca: ca === undefined ? ca : readableAuthorities(ca), cert, key, allowPartialTrustChain: true }
}
