import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto'
import type { Random } from '../../base/index.ts'
import { TransformError, type Transformer } from './transformer.ts'

const nonceBytes = 12
const tagBytes = 16
const options = { authTagLength: tagBytes }
const asText = { plaintextLength: 0, encoding: 'utf8' } as const

/** A key with the name of its cipher, which depends on its size. */
export interface GcmKey {
  readonly cipher: 'aes-128-gcm' | 'aes-192-gcm' | 'aes-256-gcm'
  readonly secret: KeyObject | Uint8Array
}

export function gcmKey(secret: Uint8Array): GcmKey {
  return { cipher: cipherOf(secret.length), secret: createSecretKey(secret) }
}

/** AES in Galois/counter mode with a random nonce: `nonce(12) ciphertext tag(16)`, bound to the key it is stored at. */
export function createAesGcm(secret: Uint8Array, random: Random): Transformer {
  const key = gcmKey(secret)
  return {
    decrypt: (stored, from, context) => ({ value: openGcm(key, stored, from, context), stale: false }),
    encrypt: (value, context) => sealGcm(key, random.bytes(nonceBytes), value, context),
  }
}

/** `nonce ciphertext tag` from `from` on, decrypted. Throws TransformError. */
export function openGcm({ cipher, secret }: GcmKey, stored: Uint8Array, from: number, context: string): Uint8Array {
  if (stored.length - from < nonceBytes) throw new TransformError('the stored data was shorter than the required size')
  const begin = from + nonceBytes
  const end = stored.length - tagBytes
  if (end < begin) throw unauthentic()
  const decipher = createDecipheriv(cipher, secret, stored.subarray(from, begin), options)
  decipher.setAAD(context, asText)
  decipher.setAuthTag(stored.subarray(end))
  // Owns its memory: each update allocates its result.
  const value = decipher.update(stored.subarray(begin, end))
  try {
    decipher.final()
  } catch {
    throw unauthentic()
  }
  return value
}

/** Encrypts, and returns parts: nonce, ciphertext, tag. */
export function sealGcm(
  { cipher, secret }: GcmKey,
  nonce: Uint8Array,
  value: Uint8Array,
  context: string,
): readonly Uint8Array[] {
  const sealing = createCipheriv(cipher, secret, nonce, options)
  sealing.setAAD(context, asText)
  const body = sealing.update(value)
  sealing.final()
  return [nonce, body, sealing.getAuthTag()]
}

function unauthentic(): TransformError {
  return new TransformError('cipher: message authentication failed')
}

function cipherOf(keyBytes: number): GcmKey['cipher'] {
  return keyBytes === 32 ? 'aes-256-gcm' : keyBytes === 24 ? 'aes-192-gcm' : 'aes-128-gcm'
}
