import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto'
import { algorithmOf, type JwsAlgorithm } from '../jws.ts'

/** One key of service account tokens, to verify or to sign with. */
export interface TokenKey {
  /** Digest of the public half: the same for both halves, wherever the key is used. */
  readonly keyId: string
  readonly algorithm: JwsAlgorithm
  readonly key: KeyObject
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g

/**
 * The public keys in a PEM text of public keys, private keys and certificates (RSA or ECDSA), in order. Throws an Error
 * when there is none, or one that can't be read.
 */
export function readVerifyingKeys(pem: string): TokenKey[] {
  const keys = Array.from(pem.matchAll(block))
    .filter(([, type]) => type !== 'EC PARAMETERS')
    .map(([text], index) => {
      const key = attempt(() => createPublicKey(text), `key ${index + 1}`)
      return describeKey(key, `key ${index + 1}`)
    })
  if (keys.length === 0) throw new Error('the file holds no PEM-encoded key')
  return keys
}

/** The first private key of a PEM text. Throws an Error when there is none that can sign. */
export function readSigningKey(pem: string): TokenKey {
  const [text] = Array.from(pem.matchAll(block), ([whole]) => whole).filter((each) =>
    / PRIVATE KEY-|BEGIN PRIVATE/.test(each),
  )
  if (text === undefined) throw new Error('the file holds no PEM-encoded private key')
  return describeKey(
    attempt(() => createPrivateKey(text), 'the private key'),
    'the private key',
  )
}

function attempt(read: () => KeyObject, what: string): KeyObject {
  try {
    return read()
  } catch (cause) {
    throw new Error(`${what} can't be read`, { cause })
  }
}

function describeKey(key: KeyObject, what: string): TokenKey {
  const algorithm = algorithmOf(key)
  if (algorithm === undefined) throw new Error(`${what} is neither RSA nor ECDSA on a curve that tokens are signed on`)
  return { key, algorithm, keyId: keyIdOf(key) }
}

function keyIdOf(key: KeyObject): string {
  const publicHalf = key.type === 'public' ? key : createPublicKey(key)
  return hash('sha256', publicHalf.export({ type: 'spki', format: 'der' }), 'base64url')
}

/** The public half of a key. */
export function publicHalfOf({ key, keyId, algorithm }: TokenKey): TokenKey {
  return { key: key.type === 'public' ? key : createPublicKey(key), keyId, algorithm }
}

/** A key as a JSON Web Key Set shows it (RFC 7517). */
export function toJsonWebKey({ key, keyId, algorithm }: TokenKey): Readonly<Record<string, unknown>> {
  const { kty, ...members } = publicHalfOf({ key, keyId, algorithm }).key.export({ format: 'jwk' })
  return { use: 'sig', ...(kty === undefined ? {} : { kty }), kid: keyId, alg: algorithm, ...members }
}
