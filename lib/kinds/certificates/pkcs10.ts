import { createPublicKey, type KeyObject } from 'node:crypto'
import { children, readElement } from './der.ts'
import { signatureFinding } from './signature.ts'

/**
 * The fault of a certification request in DER (RFC 2986); '' when there is none. Its signature proves that the
 * requester holds the key.
 */
export function pkcs10Finding(der: Uint8Array): string {
  const request = readElement(der, 0)
  if (!request || request.tag !== sequence) return malformed
  if (request.end !== der.length) return 'asn1: syntax error: trailing data'
  const [info, algorithm, signature] = children(der, request)
  if (info?.tag !== sequence || algorithm?.tag !== sequence || signature?.tag !== bitString) return malformed
  const [version, subject, key] = children(der, info)
  if (version?.tag !== integer || subject?.tag !== sequence || key?.tag !== sequence) return malformed
  const publicKey = readKey(der.subarray(key.start, key.end))
  if (!publicKey) return 'x509: unsupported or malformed public key'
  return signatureFinding({
    algorithm: der.subarray(algorithm.start, algorithm.end),
    signed: der.subarray(info.start, info.end),
    // The first octet counts unused bits: signatures have none.
    signature: der.subarray(signature.content + 1, signature.end),
    publicKey,
  })
}

const malformed = 'asn1: structure error: not a certification request'
const integer = 0x02
const bitString = 0x03
const sequence = 0x30

function readKey(spki: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}
