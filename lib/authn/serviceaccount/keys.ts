import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto'
import { encodePem, type PemBlock, readPem } from '../../pki/index.ts'
import { algorithmOf, type JwsAlgorithm } from '../jws.ts'

/** A key that verifies or signs service account tokens. */
export interface TokenKey {
  /** Digest of the public half, the same for both halves. */
  readonly keyId: string
  readonly algorithm: JwsAlgorithm
  readonly key: KeyObject
}

/**
 * The public keys in a PEM text of public keys, private keys and certificates (RSA or ECDSA), in order. Throws an Error
 * when there is none, or one can't be read.
 */
export function readVerifyingKeys(pem: string): TokenKey[] {
  const keys = readPem(pem)
    .filter(({ type }) => type !== 'EC PARAMETERS')
    .map((block, index) => {
      const key = attempt(() => createPublicKey(textOf(block)), `key ${index + 1}`)
      return describeKey(key, `key ${index + 1}`)
    })
  if (keys.length === 0) throw new Error('the file holds no PEM-encoded key')
  return keys
}

/** The first private key of a PEM text. Throws an Error when none can sign. */
export function readSigningKey(pem: string): TokenKey {
  const block = readPem(pem).find(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'))
  if (block === undefined) throw new Error('the file holds no PEM-encoded private key')
  return describeKey(
    attempt(() => createPrivateKey(textOf(block)), 'the private key'),
    'the private key',
  )
}

/** OpenSSL gets the block that was found, and nothing around it. */
function textOf({ type, hasHeaders, bytes }: PemBlock): string {
  if (hasHeaders) throw new Error('PEM block headers are not permitted: the key may be encrypted')
  return encodePem(type, bytes)
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

/** A key in a JSON Web Key Set (RFC 7517). */
export function toJsonWebKey({ key, keyId, algorithm }: TokenKey): Readonly<Record<string, unknown>> {
  const { kty, ...members } = publicHalfOf({ key, keyId, algorithm }).key.export({ format: 'jwk' })
  return { use: 'sig', ...(kty === undefined ? {} : { kty }), kid: keyId, alg: algorithm, ...members }
}
