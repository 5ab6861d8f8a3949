import { type Clock, retry } from '../../../base/index.ts'
import { ask, type Question } from '../../etcd/ask.ts'
import type { Channel, ChannelOptions } from '../../etcd/channel.ts'
import { connectChannel } from '../../etcd/connection.ts'
import { abstractPrefix } from '../../etcd/endpoint.ts'
import { grpcCodes, toStoreError, unknown } from '../../etcd/failure.ts'

/** A reply holds a key and a few fields. */
const replyBytesMax = 256 * 1024
const backoff = { firstMs: 100, maxMs: 1000 }

/**
 * The gRPC connection to a key service on a unix socket. A call waits until the service listens, and is not repeated.
 * Rejects with StoreErrors, whose cause is the GrpcFailure.
 */
export class KeyServiceLink {
  readonly #clock: Clock
  readonly #endpoint: string
  readonly #closing = new AbortController()
  #channel: Promise<Channel> | undefined

  constructor(clock: Clock, endpoint: string) {
    this.#clock = clock
    this.#endpoint = targetOf(endpoint)
  }

  async ask<Reply>(question: Question<Reply>, timeoutMs: number): Promise<Reply> {
    const startedMs = this.#clock.monotonicMs()
    const channel = await this.#within(this.#usable(), timeoutMs)
    const leftMs = Math.max(0, timeoutMs - (this.#clock.monotonicMs() - startedMs))
    return await ask(this.#clock, channel, question, leftMs)
  }

  close(): void {
    this.#closing.abort()
    this.#channel?.then(
      (channel) => channel.destroy('the connection is closed'),
      () => {},
    )
  }

  /** Calls share one attempt to connect. It goes on for later calls when an earlier one has given up. */
  #usable(): Promise<Channel> {
    this.#channel ??= this.#connect()
    return this.#channel
  }

  async #connect(): Promise<Channel> {
    const options: ChannelOptions = {
      connectTimeoutMs: 5000,
      keepAliveMs: 30_000,
      keepAliveTimeoutMs: 10_000,
      authority: 'localhost',
      replyBytesMax,
    }
    return await retry({ clock: this.#clock }, { ...backoff, signal: this.#closing.signal }, () =>
      connectChannel(this.#clock, this.#endpoint, options, () => {
        this.#channel = undefined
      }),
    )
  }

  #within(connecting: Promise<Channel>, timeoutMs: number): Promise<Channel> {
    return new Promise((resolve, reject) => {
      const timer = this.#clock.after(timeoutMs, () =>
        reject(toStoreError(unknown('context deadline exceeded', grpcCodes.deadlineExceeded))),
      )
      connecting
        .then(resolve, () => reject(toStoreError(unknown('the connection is closed', grpcCodes.cancelled))))
        .finally(() => void timer.close())
    })
  }
}

/** `unix:///run/kms.sock`; a path that begins with `/@` is a Linux abstract socket. */
function targetOf(endpoint: string): string {
  const path = endpoint.replace(/^[^:]*:(?:\/\/[^/]*)?/, '')
  return path.startsWith('/@') ? `${abstractPrefix}${path.slice(2)}` : `unix://${path}`
}
