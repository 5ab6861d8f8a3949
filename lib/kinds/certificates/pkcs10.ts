import { createPublicKey, type KeyObject } from 'node:crypto'
import { DerError, DerReader, derTags } from '../../pki/index.ts'
import { signatureFinding } from './signature.ts'

/**
 * The fault of a certification request in DER (RFC 2986); '' when there is none. Its signature proves that the
 * requester holds the key.
 */
export function pkcs10Finding(der: Uint8Array): string {
  try {
    return findingOf(der)
  } catch (error) {
    if (error instanceof DerError) return malformed
    throw error
  }
}

function findingOf(der: Uint8Array): string {
  const reader = new DerReader(der)
  const request = reader.enter(derTags.sequence)
  if (reader.more) return 'asn1: syntax error: trailing data'
  const info = request.next(derTags.sequence)
  const algorithm = request.next(derTags.sequence)
  const signature = request.next(derTags.bitString)
  const members = new DerReader(info.content)
  members.next(derTags.integer) // version
  members.next(derTags.sequence) // subject
  const publicKey = readKey(members.next(derTags.sequence).whole)
  members.rest()
  if (!publicKey) return 'x509: unsupported or malformed public key'
  return signatureFinding({
    algorithm,
    signed: info.whole,
    // The first octet counts unused bits: signatures have none.
    signature: signature.content.subarray(1),
    publicKey,
  })
}

const malformed = 'asn1: structure error: not a certification request'

function readKey(spki: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}
