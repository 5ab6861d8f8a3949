import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto'
import type { Random } from '../../base/index.ts'
import { TransformError, type Transformer } from './transformer.ts'

const nonceBytes = 12
const tagBytes = 16
const options = { authTagLength: tagBytes }

/** AES in Galois/counter mode with a random nonce: `nonce(12) ciphertext tag(16)`, bound to the key it is stored at. */
export function createAesGcm(secret: Uint8Array, random: Random): Transformer {
  const key = createSecretKey(secret)
  return {
    decrypt: (stored, from, context) => ({ value: openGcm(key, stored, from, context), stale: false }),
    encrypt: (value, context) => sealGcm(key, random.bytes(nonceBytes), value, context),
  }
}

/** `nonce ciphertext tag` from `from` on, decrypted. Throws TransformError. */
export function openGcm(key: KeyObject | Uint8Array, stored: Uint8Array, from: number, context: string): Uint8Array {
  if (stored.length - from < nonceBytes) throw new TransformError('the stored data was shorter than the required size')
  const begin = from + nonceBytes
  const end = stored.length - tagBytes
  if (end < begin) throw unauthentic()
  const size = key instanceof Uint8Array ? key.length : (key.symmetricKeySize ?? 0)
  const decipher = createDecipheriv(cipherOf(size), key, stored.subarray(from, begin), options)
  decipher.setAAD(Buffer.from(context))
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

/** In parts: nonce, ciphertext, tag. */
export function sealGcm(
  key: KeyObject | Uint8Array,
  nonce: Uint8Array,
  value: Uint8Array,
  context: string,
): readonly Uint8Array[] {
  const size = key instanceof Uint8Array ? key.length : (key.symmetricKeySize ?? 0)
  const cipher = createCipheriv(cipherOf(size), key, nonce, options)
  cipher.setAAD(Buffer.from(context))
  const body = cipher.update(value)
  cipher.final()
  return [nonce, body, cipher.getAuthTag()]
}

function unauthentic(): TransformError {
  return new TransformError('cipher: message authentication failed')
}

function cipherOf(keyBytes: number): 'aes-128-gcm' | 'aes-192-gcm' | 'aes-256-gcm' {
  return keyBytes === 32 ? 'aes-256-gcm' : keyBytes === 24 ? 'aes-192-gcm' : 'aes-128-gcm'
}
