import { hkdfSync, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Random } from '../../base/index.ts'
import { type GcmKey, gcmKey, openGcm, sealGcm } from '../encryption/aesgcm.ts'

const saltBytes = 16
const nonceBytes = 12
const keyBytes = 32
/** Derived keys of earlier processes that are kept at once. Deriving one takes some 20 µs. */
const derivedMax = 1000

export interface RecordDecrypter {
  /** The result owns its memory. Throws for bytes that aren't authentic or belong to another context. */
  decrypt(context: string, stored: Uint8Array): Buffer
}

/**
 * Encrypts the records of one file. `context` is the place of a record; a record that was moved elsewhere doesn't
 * decrypt.
 */
export interface RecordCipher extends RecordDecrypter {
  encrypt(context: string, plain: Uint8Array): Buffer
}

/**
 * AES-256-GCM: `salt(16) nonce(12) ciphertext tag(16)`. Each process draws a salt, derives its own key from the file's
 * key and counts nonces under it. So no nonce is used twice, however many records there are and whatever happened to
 * the file: nonces counted by revision would repeat after a crash or in a restored copy.
 */
export function createRecordCipher(dataKey: KeyObject, random: Random): RecordCipher {
  const salt = random.bytes(saltBytes)
  const key = derive(dataKey, salt)
  let counter = 0n
  return {
    ...createRecordDecrypter(dataKey),
    encrypt(context, plain) {
      const nonce = Buffer.alloc(nonceBytes)
      nonce.writeBigUInt64BE(counter++, nonceBytes - 8)
      return Buffer.concat([salt, ...sealGcm(key, nonce, plain, context)])
    },
  }
}

/** Decrypts records that any process has encrypted with the file's key. */
export function createRecordDecrypter(dataKey: KeyObject): RecordDecrypter {
  const derived = new LRUCache<string, GcmKey>({ max: derivedMax })

  function keyOf(stored: Uint8Array): GcmKey {
    const saltOf = Buffer.from(stored.buffer, stored.byteOffset, Math.min(saltBytes, stored.length))
    const name = saltOf.toString('latin1')
    const known = derived.get(name)
    if (known) return known
    const key = derive(dataKey, saltOf)
    derived.set(name, key)
    return key
  }

  return {
    decrypt(context, stored) {
      const plain = openGcm(keyOf(stored), stored, saltBytes, context)
      return Buffer.from(plain.buffer, plain.byteOffset, plain.length)
    },
  }
}

function derive(dataKey: KeyObject, salt: Uint8Array): GcmKey {
  return gcmKey(new Uint8Array(hkdfSync('sha256', dataKey, salt, 'pilothouse records 1', keyBytes)))
}
