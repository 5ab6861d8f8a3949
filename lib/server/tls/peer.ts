import type { Socket } from 'node:net'
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls'

const none: readonly Uint8Array[] = []

/** The certificates that the client showed, leaf first, DER; verified by nobody yet. Empty for a client without one. */
export function peerCertificates(socket: Socket): readonly Uint8Array[] {
  const secure = socket as TLSSocket // the only kind that the listener accepts
  const leaf = secure.getPeerCertificate(true)
  if (leaf?.raw === undefined) return none
  const chain: Uint8Array[] = []
  // A self-signed certificate names itself as its issuer.
  for (let at: DetailedPeerCertificate | undefined = leaf; at?.raw !== undefined; ) {
    chain.push(at.raw)
    const issuer: DetailedPeerCertificate | undefined = at.issuerCertificate
    if (issuer === at || chain.length === certificatesMax) break
    at = issuer
  }
  return chain
}

const certificatesMax = 16
