import type { KeyObject } from 'node:crypto'
import { type Clock, type Logger, type Random } from '../../../base/index.ts'
import { formatTime } from '../../../object/index.ts'
import { hashOf } from '../hash.ts'
import { TransformError } from '../transformer.ts'
import type { DataKeys } from './datakeys.ts'
import { seedBytes, seedOf } from './keys.ts'
import { checkEnvelope } from './limits.ts'
import { type Envelope, encodeEnvelope, typeSeed } from './messages.ts'
import type { KmsMetrics } from './metrics.ts'
import type { KeyService } from './service.ts'

/** A seed for writing values, and its envelope. */
export interface WriteKey {
  readonly seed: KeyObject
  readonly envelope: Envelope
  readonly envelopeBytes: Uint8Array
  /** Until when it may be used, in milliseconds since the epoch. */
  readonly expiresMs: number
}

/** How long a seed may be used after the service has named its key. */
const usableMs = 3 * 60 * 1000

export interface WriteKeysDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: KmsMetrics
  readonly service: KeyService
  readonly dataKeys: DataKeys
}

/** The seed for writing values: a new one whenever the key service names another key. */
export class WriteKeys {
  readonly #dependencies: WriteKeysDependencies
  #current: WriteKey | undefined

  constructor(dependencies: WriteKeysDependencies) {
    this.#dependencies = dependencies
  }

  /** Undefined: the service has never been healthy. */
  get current(): WriteKey | undefined {
    return this.#current
  }

  /** Throws TransformError when there is no usable one. */
  get usable(): WriteKey {
    const key = this.#current
    if (!key) throw new TransformError('got unexpected nil transformer')
    const nowMs = this.#dependencies.clock.now()
    if (nowMs <= key.expiresMs) return key
    const [hash, until, now] = [hashOf(key.envelope.keyId), formatTime(key.expiresMs), formatTime(nowMs)]
    throw new TransformError(
      `encryptedDEKSource with keyID hash ${JSON.stringify(hash)} expired at ${until} (current time is ${now})`,
    )
  }

  /**
   * Follows the service's report that `keyId` is the key to use. Rejects when no seed is available for it; the previous
   * one stays.
   */
  async follow(keyId: string): Promise<void> {
    const { clock, random, log } = this.#dependencies
    // The time runs from before the calls, which may take a while.
    const expiresMs = clock.now() + usableMs
    if (this.#current?.envelope.keyId === keyId) {
      this.#current = { ...this.#current, expiresMs }
      return
    }
    const uid = random.uuid()
    const next = await this.#generate(uid, expiresMs).catch((error: unknown) => String(messageOf(error)))
    if (typeof next !== 'string' && next.envelope.keyId === keyId) {
      this.#current = next
      log.info('a new data key is in use', { uid, keyIdHash: hashOf(keyId) })
      return
    }
    throw new TransformError(this.#whyNot(uid, keyId, next))
  }

  async #generate(uid: string, expiresMs: number): Promise<WriteKey> {
    const { random, service, dataKeys, metrics, clock } = this.#dependencies
    const startedMs = clock.monotonicMs()
    try {
      const secret = random.bytes(seedBytes)
      const { ciphertext, keyId, annotations } = await service.encrypt(secret, uid)
      const envelope = { ciphertext, keyId, annotations, type: typeSeed }
      checkEnvelope(envelope)
      dataKeys.add(envelope, secret)
      metrics.generated(startedMs)
      return { seed: seedOf(secret), envelope, envelopeBytes: encodeEnvelope(envelope), expiresMs }
    } catch (error) {
      metrics.generated(startedMs, error)
      throw error
    }
  }

  #whyNot(uid: string, keyId: string, next: WriteKey | string): string {
    const current = this.#current
    const details = [
      `uid=${JSON.stringify(uid)}`,
      `errState=${current ? '<nil>' : 'got unexpected nil transformer'}`,
      `errGen=${typeof next === 'string' ? next : '<nil>'}`,
      `statusKeyIDHash=${JSON.stringify(hashOfKey(keyId))}`,
      `encryptKeyIDHash=${JSON.stringify(typeof next === 'string' ? '' : hashOfKey(next.envelope.keyId))}`,
      `stateKeyIDHash=${JSON.stringify(current ? hashOfKey(current.envelope.keyId) : '')}`,
      `expirationTimestamp=${current ? formatTime(current.expiresMs) : '0001-01-01T00:00:00Z'}`,
    ]
    return `failed to rotate DEK ${details.join(', ')}`
  }
}

function hashOfKey(keyId: string): string {
  return keyId === '' ? '' : hashOf(keyId)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
