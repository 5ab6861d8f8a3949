import { createHash } from 'node:crypto'
import { type Clock, createTtlCache, type Random } from '../../../base/index.ts'
import { isPromise, type Maybe, TransformError } from '../transformer.ts'
import { createEnvelopeKey, type EnvelopeKey } from './keys.ts'
import { checkEnvelope } from './limits.ts'
import { decodeEnvelope, type Envelope, encodeEnvelope } from './messages.ts'
import type { KeyService } from './service.ts'

/** An envelope and its data key. */
export interface Unwrapped {
  readonly envelope: Envelope
  readonly key: EnvelopeKey
}

/** Decrypted data keys are kept this long, and this many. */
const keepMs = 24 * 3600 * 1000
const dataKeysMax = 10_000
/** How long a refusal of the key service is remembered: a list of many values must not ask for each of them. */
const refusalMs = 1000

/** The data keys of stored values: each is requested from the key service once. */
export class DataKeys {
  readonly #service: KeyService
  readonly #random: Random
  /** By the bytes of the envelope. Its fields may have any order, so several entries may have the same key. */
  readonly #byBytes
  readonly #byEnvelope
  readonly #underWay = new Map<string, Promise<Unwrapped>>()
  readonly #refusals

  constructor(service: KeyService, { clock, random }: { readonly clock: Clock; readonly random: Random }) {
    this.#service = service
    this.#random = random
    this.#byBytes = createTtlCache<Unwrapped>(clock, dataKeysMax)
    this.#byEnvelope = createTtlCache<Unwrapped>(clock, dataKeysMax)
    this.#refusals = createTtlCache<Error>(clock, dataKeysMax)
  }

  get size(): number {
    return this.#byEnvelope.size
  }

  /** The key of an envelope. Throws, or rejects with, TransformError. */
  unwrap(bytes: Uint8Array): Maybe<Unwrapped> {
    const name = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    const known = this.#byBytes.get(name)
    if (known) return known
    const envelope = decode(bytes)
    checkEnvelope(envelope)
    const found = this.#find(envelope)
    const remember = (unwrapped: Unwrapped): Unwrapped => {
      this.#byBytes.set(name, unwrapped, keepMs)
      return unwrapped
    }
    return isPromise(found) ? found.then(remember) : remember(found)
  }

  /** Adds a key that this process has made. */
  add(envelope: Envelope, secret: Uint8Array): void {
    const unwrapped = { envelope, key: createEnvelopeKey(envelope.type, secret) }
    this.#byEnvelope.set(nameOf(envelope), unwrapped, keepMs)
  }

  /** Drops a key that has opened nothing so far: the service may have answered a wrong one, and is asked again. */
  distrust(bytes: Uint8Array, { envelope }: Unwrapped): void {
    const name = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    this.#byBytes.delete(name)
    this.#byEnvelope.delete(nameOf(envelope))
  }

  #find(envelope: Envelope): Maybe<Unwrapped> {
    const name = nameOf(envelope)
    const known = this.#byEnvelope.get(name)
    if (known) return known
    const refusal = this.#refusals.get(name)
    if (refusal) throw refusal
    let asking = this.#underWay.get(name)
    if (!asking) {
      asking = this.#ask(name, envelope).finally(() => this.#underWay.delete(name))
      this.#underWay.set(name, asking)
    }
    return asking
  }

  async #ask(name: string, envelope: Envelope): Promise<Unwrapped> {
    try {
      const { ciphertext, keyId, annotations } = envelope
      const secret = await this.#service.decrypt({ ciphertext, keyId, annotations }, this.#random.uuid())
      const unwrapped = { envelope, key: createEnvelopeKey(envelope.type, secret) }
      this.#byEnvelope.set(name, unwrapped, keepMs)
      return unwrapped
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      const refusal = new TransformError(`failed to decrypt DEK, error: ${why}`, { cause: error })
      this.#refusals.set(name, refusal, refusalMs)
      throw refusal
    }
  }
}

function nameOf(envelope: Envelope): string {
  return createHash('sha256').update(encodeEnvelope(envelope)).digest('latin1')
}

function decode(bytes: Uint8Array): Envelope {
  try {
    return decodeEnvelope(bytes)
  } catch (error) {
    throw new TransformError('proto: the envelope can not be read', { cause: error })
  }
}
