import type { DetailedPeerCertificate, TLSSocket } from 'node:tls'

const none: readonly Uint8Array[] = []
const certificatesMax = 16

/** Reads what clients have shown of themselves; the same array for the same connection, so that it can be a key. */
export type PeerReader = (connection: object, socket: TLSSocket) => readonly Uint8Array[]

/** Taking a chain out of OpenSSL costs more than a whole request: it is done once a connection. */
export function createPeerReader(): PeerReader {
  const known = new WeakMap<object, readonly Uint8Array[]>()
  return (connection, socket) => {
    let chain = known.get(connection)
    if (chain === undefined) {
      chain = readChain(socket)
      known.set(connection, chain)
    }
    return chain
  }
}

/** Leaf first, DER; verified by nobody yet. */
function readChain(socket: TLSSocket): readonly Uint8Array[] {
  const leaf = socket.getPeerCertificate(true)
  if (leaf?.raw === undefined) return none
  const chain: Uint8Array[] = []
  for (let at: DetailedPeerCertificate | undefined = leaf; at?.raw !== undefined; ) {
    chain.push(at.raw)
    const issuer: DetailedPeerCertificate | undefined = at.issuerCertificate
    // A self-signed certificate names itself as its issuer.
    if (issuer === at || chain.length === certificatesMax) break
    at = issuer
  }
  return chain
}
