import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Random } from '../../base/index.ts'
import { StoreError } from '../contract.ts'
import { openGcm, sealGcm } from '../encryption/aesgcm.ts'

/** The keys of --data-encryption-key-file, one at least: the first one encrypts, every one decrypts. */
export type DataEncryptionKeys = readonly KeyObject[]

/** A data file's key, and the form in which the file keeps it: encrypted with one of the operator's keys. */
export interface FileDataKey {
  readonly secret: KeyObject
  /** `nonce(12) ciphertext tag(16)` */
  readonly wrapped: Uint8Array
  /** False: an older key of the operator wrapped it. */
  readonly isCurrent: boolean
}

const keyBytes = 32
const nonceBytes = 12
const keysMax = 16
/** Bound to each wrapped key, so that no other ciphertext is accepted as one. */
const context = 'pilothouse data key 1'

/**
 * One key a line, 32 bytes in base64; empty lines and lines that begin with # are skipped. Throws Error, which quotes
 * no key.
 */
export function parseDataEncryptionKeys(text: string): DataEncryptionKeys {
  const keys: KeyObject[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const given = line.trim()
    if (given === '' || given.startsWith('#')) continue
    const bytes = Buffer.from(given, 'base64')
    // Node skips characters that are not base64: only the canonical text is accepted.
    if (bytes.length !== keyBytes || bytes.toString('base64') !== given)
      throw new Error(`line ${index + 1} is not ${keyBytes} bytes in base64`)
    keys.push(createSecretKey(bytes))
  }
  if (keys.length === 0) throw new Error('it holds no key')
  if (keys.length > keysMax) throw new Error(`it holds ${keys.length} keys: ${keysMax} are the most`)
  return keys
}

export function createFileDataKey(keys: DataEncryptionKeys, random: Random): FileDataKey {
  const secret = createSecretKey(random.bytes(keyBytes))
  return { secret, wrapped: wrap(keys, secret, random), isCurrent: true }
}

/** The same key, wrapped by the operator's first one. */
export function rewrapDataKey(keys: DataEncryptionKeys, { secret }: FileDataKey, random: Random): FileDataKey {
  return { secret, wrapped: wrap(keys, secret, random), isCurrent: true }
}

/** Throws StoreError `internal` when none of the keys opens it. */
export function openDataKey(keys: DataEncryptionKeys, wrapped: Uint8Array): FileDataKey {
  for (const [index, key] of keys.entries())
    try {
      const secret = openGcm({ cipher: 'aes-256-gcm', secret: key }, wrapped, 0, context)
      if (secret.length === keyBytes) return { secret: createSecretKey(secret), wrapped, isCurrent: index === 0 }
    } catch {
      // The next key may open it.
    }
  const which = keys.length === 1 ? 'the data encryption key does not open it' : 'no data encryption key opens it'
  throw new StoreError('internal', which)
}

function wrap(keys: DataEncryptionKeys, secret: KeyObject, random: Random): Uint8Array {
  const [first] = keys
  if (!first) throw new StoreError('internal', 'there is no data encryption key')
  const nonce = random.bytes(nonceBytes)
  return Buffer.concat(sealGcm({ cipher: 'aes-256-gcm', secret: first }, nonce, secret.export(), context))
}
