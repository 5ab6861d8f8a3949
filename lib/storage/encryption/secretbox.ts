import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js'
import { inOwnMemory, type Random } from '../../base/index.ts'
import { TransformError, type Transformer } from './transformer.ts'

const nonceBytes = 24

/** NaCl's secretbox, XSalsa20 and Poly1305, with a random nonce: `nonce(24) tag(16) ciphertext`. */
export function createSecretbox(secret: Uint8Array, random: Random): Transformer {
  return {
    decrypt(stored, from) {
      const begin = from + nonceBytes
      if (stored.length < begin) throw new TransformError('the stored data was shorter than the required size')
      try {
        const opened = xsalsa20poly1305(secret, stored.subarray(from, begin)).decrypt(stored.subarray(begin))
        return { value: inOwnMemory(opened), stale: false }
      } catch {
        throw new TransformError('output array was not large enough for encryption')
      }
    },
    encrypt(value) {
      const nonce = random.bytes(nonceBytes)
      return [nonce, xsalsa20poly1305(secret, nonce).encrypt(value)]
    },
  }
}
