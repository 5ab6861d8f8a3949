import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { type GcmKey, gcmKey, openGcm, sealGcm } from '../aesgcm.ts'
import { TransformError } from '../transformer.ts'
import { typeKey } from './messages.ts'

export const seedBytes = 32
const infoBytes = 32
const nonceBytes = 12
const lastByte = Buffer.from([1])

/** The key for the values of an envelope, or the seed of their keys. */
export interface EnvelopeKey {
  readonly open: (stored: Uint8Array, context: string) => Uint8Array
}

/** Throws TransformError for keys of a wrong size. */
export function createEnvelopeKey(type: number, secret: Uint8Array): EnvelopeKey {
  if (type === typeKey) {
    if (![16, 24, 32].includes(secret.length)) throw new TransformError(`crypto/aes: invalid key size ${secret.length}`)
    const key = gcmKey(secret)
    return { open: (stored, context) => openGcm(key, stored, 0, context) }
  }
  const seed = seedOf(secret)
  return {
    open(stored, context) {
      if (stored.length < infoBytes) throw new TransformError('the stored data was shorter than the required size')
      return openGcm(derived(seed, stored.subarray(0, infoBytes)), stored, infoBytes, context)
    },
  }
}

export function seedOf(secret: Uint8Array): KeyObject {
  if (secret.length !== seedBytes)
    throw new TransformError(`invalid seed length ${secret.length} used for key generation`)
  return createSecretKey(secret)
}

/** Encrypts, and returns parts. `random` makes 44 bytes: the input of the derivation, and the nonce. */
export function sealWithSeed(
  seed: KeyObject,
  random: Uint8Array,
  value: Uint8Array,
  context: string,
): readonly Uint8Array[] {
  const info = random.subarray(0, infoBytes)
  return [info, ...sealGcm(derived(seed, info), random.subarray(infoBytes), value, context)]
}

export const sealRandomBytes = infoBytes + nonceBytes

/** HKDF's expansion (RFC 5869) by SHA-256 to its first 32 bytes: the seed is random and needs no extraction. */
function derived(seed: KeyObject, info: Uint8Array): GcmKey {
  return { cipher: 'aes-256-gcm', secret: createHmac('sha256', seed).update(info).update(lastByte).digest() }
}
