import { type Clock, type Closable, type Logger, type Metrics, type Random } from '../../../base/index.ts'
import { hashOf } from '../hash.ts'
import type { KmsRule } from '../rules.ts'
import { type Decrypted, isPromise, type Maybe, TransformError, type Transformer } from '../transformer.ts'
import { DataKeys, type Unwrapped } from './datakeys.ts'
import { sealRandomBytes, sealWithSeed } from './keys.ts'
import { checkKeyId, KeyIdError } from './limits.ts'
import { type Enveloped, encodeDataHead, type KmsStatusReply, splitEnveloped, typeSeed } from './messages.ts'
import { createKmsMetrics, type KmsMetrics } from './metrics.ts'
import { connectKeyService, type KeyService } from './service.ts'
import { WriteKeys } from './writekey.ts'

export interface KmsDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
  readonly serverIdHash: string
}

/** A key service in use: transforms values, polls the status, knows the service's health. */
export interface KmsProvider extends Closable {
  readonly name: string
  readonly transformer: Transformer
  /** Rejects with what is wrong. Answers are kept for a while. */
  check(): Promise<void>
  close(): void
}

/** Interval of polls while the service is well; another one while it isn't. */
const pollMs = 60_000
const pollAgainMs = 10_000
/** How long an answer about its health is kept. */
const wellMs = 20_000
const illMs = 3_000

/** Resolves after the first request for its status, whatever the answer. */
export async function openKmsProvider(dependencies: KmsDependencies, rule: KmsRule): Promise<KmsProvider> {
  const service = await connectKeyService(dependencies, rule)
  const provider = new Provider(dependencies, rule.name, service)
  await provider.begin()
  return provider
}

class Provider implements KmsProvider {
  readonly name: string
  readonly transformer: Transformer
  readonly #clock: Clock
  readonly #random: Random
  readonly #log: Logger
  readonly #metrics: KmsMetrics
  readonly #service: KeyService
  readonly #dataKeys: DataKeys
  readonly #writeKeys: WriteKeys
  #version = ''
  #asked: { readonly atMs: number; readonly error: Error | undefined } | undefined
  #asking: Promise<Error | undefined> | undefined
  #timer: Closable | undefined
  #closed = false

  constructor({ clock, random, log, metrics, serverIdHash }: KmsDependencies, name: string, service: KeyService) {
    this.name = name
    this.#clock = clock
    this.#random = random
    this.#log = log
    this.#metrics = createKmsMetrics(clock, metrics, { provider: name, serverIdHash })
    this.#service = service
    this.#dataKeys = new DataKeys(service, { clock, random })
    this.#writeKeys = new WriteKeys({
      clock,
      random,
      log,
      service,
      metrics: this.#metrics,
      dataKeys: this.#dataKeys,
    })
    this.transformer = {
      decrypt: (stored, from, context) => this.#decrypt(stored, from, context),
      encrypt: (value, context) => this.#encrypt(value, context),
    }
  }

  /** Asks for the status now, and then at intervals. */
  async begin(): Promise<void> {
    const error = await this.#ask()
    if (this.#closed) return
    if (error) this.#log.warn('the key service is not well', { provider: this.name, reason: error.message })
    this.#timer = this.#clock.after(error ? pollAgainMs : pollMs, () => void this.begin())
  }

  async check(): Promise<void> {
    const asked = this.#asked
    const isFresh = asked && this.#clock.monotonicMs() - asked.atMs < (asked.error ? illMs : wellMs)
    const error = isFresh ? asked.error : await this.#ask()
    if (error) throw error
  }

  close(): void {
    this.#closed = true
    void this.#timer?.close()
    this.#service.close()
  }

  #ask(): Promise<Error | undefined> {
    this.#asking ??= this.#status()
      .then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      )
      .then((error) => {
        this.#asking = undefined
        this.#asked = { atMs: this.#clock.monotonicMs(), error }
        return error
      })
    return this.#asking
  }

  async #status(): Promise<void> {
    let reply: KmsStatusReply
    try {
      reply = await this.#service.status()
    } catch (error) {
      throw new Error(
        `failed to perform status section of the healthz check for KMS Provider ${this.name}, error: ${messageOf(error)}`,
        { cause: error },
      )
    }
    const problems = [...this.#problemsOf(reply)]
    const keyProblem = await this.#useKey(reply.keyId)
    if (keyProblem !== undefined) problems.push(keyProblem)
    if (problems.length === 0) return
    const all = problems.length === 1 ? problems.join() : `[${problems.join(', ')}]`
    throw new Error(`kmsv2 Provider ${this.name} is not healthy, error: ${all}`)
  }

  *#problemsOf({ healthz, version }: KmsStatusReply): Iterable<string> {
    if (healthz !== 'ok') yield `got unexpected healthz status: ${shown(healthz)}`
    if (version !== 'v2' && version !== 'v2beta1') yield `expected KMSv2 API version v2, got ${shown(version)}`
    else if (this.#version === '') this.#version = version
    else if (version !== this.#version)
      yield `KMSv2 API version should not change after the initial status response version ${this.#version}, got ${version}`
  }

  async #useKey(keyId: string): Promise<string | undefined> {
    try {
      checkKeyId(keyId)
    } catch (error) {
      if (error instanceof KeyIdError) this.#metrics.invalid(error.code)
      const hash = keyId === '' ? '' : hashOf(keyId)
      return `got invalid KMSv2 KeyID hash ${JSON.stringify(hash)}: ${messageOf(error)}`
    }
    this.#metrics.named(keyId)
    try {
      await this.#writeKeys.follow(keyId)
      return undefined
    } catch (error) {
      return messageOf(error)
    }
  }

  #encrypt(value: Uint8Array, context: string): readonly Uint8Array[] {
    const { seed, envelope, envelopeBytes } = this.#writeKeys.usable
    const data = sealWithSeed(seed, this.#random.bytes(sealRandomBytes), value, context)
    this.#metrics.used('to_storage', envelope.keyId)
    const length = data.reduce((sum, part) => sum + part.length, 0)
    return [encodeDataHead(length), ...data, envelopeBytes]
  }

  #decrypt(stored: Uint8Array, from: number, context: string): Maybe<Decrypted> {
    const enveloped = split(stored, from)
    const unwrapped = this.#dataKeys.unwrap(enveloped.rest)
    if (!isPromise(unwrapped)) return this.#open(enveloped, unwrapped, context)
    return unwrapped.then((key) => {
      this.#metrics.cached(this.#dataKeys.size)
      try {
        return this.#open(enveloped, key, context)
      } catch (error) {
        this.#dataKeys.distrust(enveloped.rest, key)
        throw error
      }
    })
  }

  #open({ stored, dataStart, dataEnd }: Enveloped, { envelope, key }: Unwrapped, context: string): Decrypted {
    this.#metrics.used('from_storage', envelope.keyId)
    const value = key.open(stored.subarray(dataStart, dataEnd), context)
    const stale = envelope.keyId !== this.#writeKeys.current?.envelope.keyId || envelope.type !== typeSeed
    return { value, stale }
  }
}

/** Throws TransformError. */
function split(stored: Uint8Array, from: number): Enveloped {
  let enveloped: Enveloped
  try {
    enveloped = splitEnveloped(stored, from)
  } catch (error) {
    throw new TransformError('proto: the envelope can not be read', { cause: error })
  }
  if (enveloped.dataEnd === enveloped.dataStart) throw new TransformError('encrypted data is empty')
  return enveloped
}

/** Text of the service, which may have any length. */
function shown(text: string): string {
  return text.slice(0, 256)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
