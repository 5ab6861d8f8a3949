import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { DerReader, derTags } from './derreader.ts'

/** A public key as SubjectPublicKeyInfo (RFC 5280, 4.1.2.7), in DER and nothing after it; undefined for other bytes. */
export function readPublicKey(der: Uint8Array): KeyObject | undefined {
  try {
    const reader = new DerReader(der)
    reader.next(derTags.sequence)
    if (reader.more) return undefined
    return createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

/**
 * Whether the private key made the signature of the text: by RSASSA-PSS with SHA-256 and any length of the salt, ECDSA
 * (in ASN.1) with SHA-256, or Ed25519.
 */
export function provesPossession(key: KeyObject, text: string, signature: Uint8Array): boolean {
  const type = key.asymmetricKeyType
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
  try {
    return verify(
      type === 'ed25519' ? null : 'sha256',
      Buffer.from(text),
      type === 'rsa' ? { key, ...padding } : key,
      signature,
    )
  } catch {
    return false // not a signature of that key's type
  }
}
