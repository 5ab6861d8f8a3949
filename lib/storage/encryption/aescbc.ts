import { createCipheriv, createDecipheriv, createSecretKey, type Decipheriv } from 'node:crypto'
import type { Random } from '../../base/index.ts'
import { copied, TransformError, type Transformer } from './transformer.ts'

const blockBytes = 16

/** AES in cipher block chaining mode with a random IV: `iv(16) ciphertext`, padded as PKCS#7 says. Nothing is authenticated. */
export function createAesCbc(secret: Uint8Array, random: Random): Transformer {
  const key = createSecretKey(secret)
  const cipher = `aes-${secret.length * 8}-cbc`
  // One decipher for all values, as making one costs more than decrypting with it. In this mode a block depends only on
  // the block before it: the input begins with its IV, and the first block of the result, made of the previous value,
  // is dropped.
  const decipher: Decipheriv = createDecipheriv(cipher, key, Buffer.alloc(blockBytes)).setAutoPadding(false)
  return {
    decrypt(stored, from) {
      const size = stored.length - from
      if (size < blockBytes) throw new TransformError('the stored data was shorter than the required size')
      if (size % blockBytes !== 0) throw new TransformError('the stored data is not a multiple of the block size')
      const padded = decipher.update(from === 0 ? stored : stored.subarray(from))
      return { value: copied(padded, blockBytes, endOfValue(padded)), stale: false }
    },
    encrypt(value) {
      const iv = random.bytes(blockBytes)
      const encrypting = createCipheriv(cipher, key, iv)
      return [iv, encrypting.update(value), encrypting.final()]
    },
  }
}

/** Where the padding begins: each padding byte holds their number. The first block is not part of the value. */
function endOfValue(padded: Uint8Array): number {
  const size = padded[padded.length - 1] ?? 0
  const end = padded.length - size
  if (padded.length === blockBytes || size === 0 || end < blockBytes)
    throw new TransformError('invalid PKCS7 data (empty or not padded)')
  for (let at = end; at < padded.length; at++)
    if (padded[at] !== size) throw new TransformError('invalid padding on input')
  return end
}
