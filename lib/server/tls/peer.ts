import type { TLSSocket } from 'node:tls'
import type { Clock } from '../../base/index.ts'
import type { PresentedCertificates } from '../../pki/index.ts'

/** One more than chains may have, so that longer ones are recognized. */
const certificatesMax = 17

/** Client certificates from TLS handshakes. */
export interface PeerCertificates {
  /** A handshake that trusted `authorities` is complete. */
  completed(socket: TLSSocket, authorities: PresentedCertificates['authorities']): void
  /** Undefined without a certificate. Returns the same object for the same connection, so that it can be a key. */
  read(socket: TLSSocket): PresentedCertificates | undefined
}

interface Handshake {
  readonly authorities: PresentedCertificates['authorities']
  readonly atMs: number
  /**
   * null: not read yet. Taking a chain out of OpenSSL costs more than a whole request: it is done once a connection.
   */
  presented: PresentedCertificates | undefined | null
}

export function createPeerCertificates(clock: Clock): PeerCertificates {
  const known = new WeakMap<TLSSocket, Handshake>()
  return {
    completed(socket, authorities) {
      known.set(socket, { authorities, atMs: clock.now(), presented: null })
    },
    read(socket) {
      const handshake = known.get(socket)
      if (handshake === undefined) return undefined
      if (handshake.presented === null) handshake.presented = readPresented(socket, handshake)
      return handshake.presented
    },
  }
}

function readPresented(socket: TLSSocket, { authorities, atMs }: Handshake): PresentedCertificates | undefined {
  const chain: Uint8Array[] = []
  // On a server, the certificates follow each other in the client's order.
  let certificate = socket.getPeerX509Certificate()
  while (certificate !== undefined && chain.length < certificatesMax) {
    chain.push(certificate.raw)
    certificate = certificate.issuerCertificate
  }
  if (chain.length === 0) return undefined
  // Node's types declare an Error; it is OpenSSL's code.
  const code = socket.authorizationError as unknown
  return {
    chain,
    refusal: socket.authorized ? undefined : typeof code === 'string' ? code : 'UNSPECIFIED',
    authorities,
    verifiedAtMs: atMs,
  }
}
