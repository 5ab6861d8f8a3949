import { backoffMs, type Clock, type Closable, type Logger, type Random, UnorderedSet } from '../../base/index.ts'
import { StoreError } from '../contract.ts'
import type { Channel, ChannelOptions, EtcdTlsOptions } from './channel.ts'
import { connectChannel } from './connection.ts'
import { normalEndpoint } from './endpoint.ts'
import { type CallHost, EtcdCall, type Job } from './etcdcall.ts'
import { type GrpcFailure, isMemberTrouble, isTransient, toStoreError } from './failure.ts'
import type { EtcdMessageReader } from './protobuf.ts'

export interface ClientDependencies {
  clock: Clock
  random: Random
  log: Logger
}

export interface ClientOptions extends Partial<ChannelOptions> {
  /** `https://host:port`, `http://…`, `unix://path`, `unixs://path`; without a scheme, https when there is `tls`. */
  endpoints: readonly string[]
  tls?: EtcdTlsOptions
  /** From the call to the answer, retries included; starts again with each part of a long answer. */
  requestTimeoutMs?: number
}

interface CallOptions {
  /** Carrying it out twice does no harm, so it is retried when its outcome is unknown. */
  repeatable: boolean
  signal?: AbortSignal | undefined
  timeoutMs?: number
}

/** Interval of checks for deadlines and silent servers. */
const sweepMs = 100
/** Between attempts of a call. */
const callBackoff = { firstMs: 50, maxMs: 2000 }
/** Between rounds over all endpoints; short, as everything waits for it. */
const connectBackoff = { firstMs: 50, maxMs: 500 }
/** Calls that may wait or be in flight at a time. */
const callsMax = 100_000

/**
 * Calls over one connection at a time, to any endpoint that works: the client switches to the next endpoint when a
 * connection breaks, a server is silent, or a member has no leader. Different clients begin with different endpoints.
 */
export class EtcdClient implements CallHost {
  readonly #dependencies: ClientDependencies
  readonly #channelOptions: ChannelOptions
  readonly #endpoints: readonly string[]
  readonly #requestTimeoutMs: number
  readonly #calls = new UnorderedSet<EtcdCall<unknown>>()
  readonly #waiting = new Set<Job>()
  /** Channels in use, and retired ones with something still in flight. */
  readonly #channels = new Set<Channel>()
  readonly #closing = new AbortController()
  #current: Channel | undefined
  #connecting = false
  #nextEndpoint: number
  #lastFailure = 'not connected yet'
  #sweeper: Closable | undefined

  constructor(dependencies: ClientDependencies, options: ClientOptions) {
    if (options.endpoints.length === 0) throw new StoreError('internal', 'etcd: no endpoints')
    this.#dependencies = dependencies
    this.#endpoints = options.endpoints.map((endpoint) => normalEndpoint(endpoint, options.tls !== undefined))
    this.#requestTimeoutMs = options.requestTimeoutMs ?? 10_000
    this.#nextEndpoint = dependencies.random.below(options.endpoints.length)
    this.#channelOptions = Object.freeze({
      ...(options.tls ? { tls: options.tls } : {}),
      dialer: options.dialer,
      connectTimeoutMs: options.connectTimeoutMs ?? 2000,
      keepAliveMs: options.keepAliveMs ?? 5500,
      keepAliveTimeoutMs: options.keepAliveTimeoutMs ?? 3000,
    })
  }

  get endpoints(): readonly string[] {
    return this.#endpoints
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  /**
   * Sends a request and resolves with its reply. Rejects with StoreError whose `cause` is the GrpcFailure where there
   * is one.
   */
  call<T>(path: string, frame: Buffer, decode: (reader: EtcdMessageReader) => T, options: CallOptions): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (options.signal?.aborted) return reject(new StoreError('aborted', 'the caller gave up'))
      if (this.#closing.signal.aborted) return reject(new StoreError('closed', 'the store is closed'))
      if (this.#calls.size >= callsMax) return reject(new StoreError('unavailable', 'etcd: too many calls under way'))
      const timeoutMs = options.timeoutMs ?? this.#requestTimeoutMs
      const call = new EtcdCall(this, path, frame, decode, options.repeatable, timeoutMs, resolve, reject)
      call.extend(this.#dependencies.clock.monotonicMs())
      if (options.signal) call.watchSignal(options.signal)
      this.#calls.add(call as EtcdCall<unknown>)
      this.#sweep()
      this.#submit(call)
    })
  }

  /** Runs `start` with a usable channel, now or later; closing the result withdraws it. */
  withChannel(start: (channel: Channel) => void): Closable {
    const job = { start }
    this.#submit(job)
    this.#sweep()
    return { close: () => void this.#waiting.delete(job) }
  }

  /** Uses another endpoint, if there is one, for later calls. */
  avoid(channel: Channel): void {
    if (this.#current === channel && this.#endpoints.length > 1) channel.retire()
  }

  /** A separate connection to one endpoint, for requests about that server alone. Rejects with StoreError. */
  async connectTo(endpoint: string): Promise<Channel> {
    try {
      return await connectChannel(this.#dependencies.clock, endpoint, this.#channelOptions, () => {})
    } catch (error) {
      throw new StoreError('unavailable', `etcd: ${endpoint}: ${messageOf(error)}`, { cause: error })
    }
  }

  close(): void {
    if (this.#closing.signal.aborted) return
    this.#closing.abort()
    void this.#sweeper?.close()
    for (const call of this.#calls.values()) call.fail(new StoreError('closed', 'the store is closed'))
    this.#waiting.clear()
    for (const channel of this.#channels) channel.destroy('the store is closed')
    this.#channels.clear()
  }

  /** Retries a failed call or gives up. */
  retry(call: EtcdCall<unknown>, failure: GrpcFailure): void {
    const { clock, random } = this.#dependencies
    this.#lastFailure = failure.message
    if (call.channel && isMemberTrouble(failure)) this.avoid(call.channel)
    if (!isTransient(failure) || (failure.effect === 'unknown' && !call.repeatable))
      return call.fail(toStoreError(failure))
    // The first failure is most often a broken connection: an immediate retry finds the next endpoint.
    if (call.attempts <= 1) return this.#submit(call)
    clock.after(backoffMs(callBackoff, call.attempts, random), () => {
      if (this.#calls.has(call)) this.#submit(call)
    })
  }

  forget(call: EtcdCall<unknown>): void {
    this.#calls.delete(call)
    this.#waiting.delete(call)
  }

  now(): number {
    return this.#dependencies.clock.monotonicMs()
  }

  #submit(job: Job): void {
    if (this.#closing.signal.aborted) return
    const channel = this.#current
    if (channel?.usable) return job.start(channel)
    this.#waiting.add(job)
    if (!this.#connecting) void this.#connect()
  }

  async #connect(): Promise<void> {
    const { clock, random, log } = this.#dependencies
    this.#connecting = true
    for (let attempt = 1; this.#waiting.size > 0 && !this.#closing.signal.aborted; attempt++) {
      const endpoint = this.#endpoints[this.#nextEndpoint++ % this.#endpoints.length] ?? ''
      try {
        const channel = await connectChannel(clock, endpoint, this.#channelOptions, (gone) => this.#onGone(gone))
        // A server that shuts down may announce it together with its settings.
        if (!channel.usable) throw new Error('the server is going away')
        this.#adopt(channel)
        break
      } catch (error) {
        this.#lastFailure = `${endpoint}: ${messageOf(error)}`
        log.verbose(2, 'etcd: cannot connect', { endpoint, error: messageOf(error) })
      }
      if (attempt % this.#endpoints.length > 0) continue
      const pauseMs = backoffMs(connectBackoff, attempt / this.#endpoints.length, random)
      await clock.sleep(pauseMs, this.#closing.signal).catch(() => {})
    }
    this.#connecting = false
  }

  #adopt(channel: Channel): void {
    if (this.#closing.signal.aborted) return channel.destroy('the store is closed')
    this.#current = channel
    this.#channels.add(channel)
    const jobs = [...this.#waiting]
    this.#waiting.clear()
    for (const job of jobs) job.start(channel)
  }

  #onGone(channel: Channel): void {
    if (this.#current === channel) this.#current = undefined
    if (channel.inFlight === 0) this.#channels.delete(channel)
  }

  /** The one timer for all deadlines and channels; it runs while there is any of them. */
  #sweep(): void {
    this.#sweeper ??= this.#dependencies.clock.every(sweepMs, () => {
      const now = this.now()
      for (const call of this.#calls.values()) if (call.deadlineMs <= now) call.expire(this.#lastFailure)
      for (const channel of this.#channels) {
        channel.check()
        if (!channel.usable && channel.inFlight === 0) this.#channels.delete(channel)
      }
      if (this.#calls.size > 0 || this.#waiting.size > 0 || this.#channels.size > 0) return
      void this.#sweeper?.close()
      this.#sweeper = undefined
    })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
