import type { UnorderedSetItem } from '../../base/index.ts'
import { StoreError } from '../contract.ts'
import type { Channel, Exchange, ReplySink } from './channel.ts'
import { type GrpcFailure, grpcCodes, refused, toStoreError, unknown } from './failure.ts'
import { EtcdMessageReader } from './protobuf.ts'

/** A job that waits for a channel: a call, or the opening of a stream. */
export interface Job {
  start(channel: Channel): void
}

/** The part of the client that its calls use. */
export interface CallHost {
  /** By the monotonic clock. */
  now(): number
  /** Tries again or gives up. */
  retry(call: EtcdCall<unknown>, failure: GrpcFailure): void
  /** The call has ended. */
  forget(call: EtcdCall<unknown>): void
}

/** One request until its promise settles: a single object that is job, sink and deadline. */
export class EtcdCall<T> implements ReplySink, Job, UnorderedSetItem {
  readonly #host: CallHost
  readonly #path: string
  readonly #frame: Buffer
  readonly #decode: (reader: EtcdMessageReader) => T
  readonly #timeoutMs: number
  readonly #resolve: (value: T) => void
  readonly #reject: (error: StoreError) => void
  readonly repeatable: boolean
  channel: Channel | undefined
  attempts = 0
  deadlineMs = 0
  place = -1
  #exchange: Exchange | undefined
  #settled = false
  #unwatch: (() => void) | undefined

  constructor(
    host: CallHost,
    path: string,
    frame: Buffer,
    decode: (reader: EtcdMessageReader) => T,
    repeatable: boolean,
    timeoutMs: number,
    resolve: (value: T) => void,
    reject: (error: StoreError) => void,
  ) {
    this.#host = host
    this.#path = path
    this.#frame = frame
    this.#decode = decode
    this.repeatable = repeatable
    this.#timeoutMs = timeoutMs
    this.#resolve = resolve
    this.#reject = reject
  }

  extend(now: number): void {
    this.deadlineMs = now + this.#timeoutMs
  }

  watchSignal(signal: AbortSignal): void {
    const onAbort = (): void => this.fail(new StoreError('aborted', 'the caller gave up'))
    signal.addEventListener('abort', onAbort, { once: true })
    this.#unwatch = () => signal.removeEventListener('abort', onAbort)
  }

  start(channel: Channel): void {
    if (this.#settled) return
    this.channel = channel
    this.attempts++
    try {
      this.#exchange = channel.open(this.#path, this.#frame, false, this)
    } catch (error) {
      this.onEnd(refused(error instanceof Error ? error.message : String(error)))
    }
  }

  onMessage(message: Buffer): void {
    if (this.#settled) return
    const value = this.#decode(new EtcdMessageReader(message))
    this.#settle()
    this.#resolve(value)
  }

  onPart(): void {
    this.extend(this.#host.now())
  }

  onEnd(failure: GrpcFailure | undefined): void {
    if (this.#settled) return
    this.#exchange = undefined
    this.#host.retry(this as EtcdCall<unknown>, failure ?? unknown('no reply in the answer'))
  }

  expire(lastFailure: string): void {
    const waited = this.#exchange ? 'no answer in time' : `no server can be reached (${lastFailure})`
    const failure = this.#exchange ? unknown(waited, grpcCodes.deadlineExceeded) : refused(waited)
    this.fail(toStoreError(failure))
  }

  fail(error: StoreError): void {
    if (this.#settled) return
    this.#settle()
    this.#exchange?.cancel()
    this.#reject(error)
  }

  #settle(): void {
    this.#settled = true
    this.#unwatch?.()
    this.#host.forget(this as EtcdCall<unknown>)
  }
}
