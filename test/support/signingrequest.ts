import { generateKeyPairSync, sign } from 'node:crypto'
import { der } from '../../lib/pki/der.ts'

export interface SigningRequest {
  /** PEM. */
  readonly request: string
  /** PEM of the private key. */
  readonly key: string
}

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${(bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`

/** A certificate signing request (RFC 2986) for a new P-256 key. */
export function createSigningRequest(commonName: string, organizations: readonly string[] = []): SigningRequest {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const attribute = (oid: string, text: string): Buffer => der.set(der.sequence(der.objectId(oid), der.utf8(text)))
  const body = der.sequence(
    der.integer(Buffer.of(0)),
    der.sequence(...organizations.map((each) => attribute('2.5.4.10', each)), attribute('2.5.4.3', commonName)),
    publicKey.export({ type: 'spki', format: 'der' }),
    der.explicit(0),
  )
  const algorithm = der.sequence(der.objectId('1.2.840.10045.4.3.2'))
  const request = der.sequence(body, algorithm, der.bits(sign('sha256', body, privateKey)))
  return {
    request: pem('CERTIFICATE REQUEST', request),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
