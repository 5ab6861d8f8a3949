import type { Clock } from '../../base/index.ts'
import { StoreError } from '../contract.ts'
import { ask, type Question } from './ask.ts'
import type { Channel, ChannelOptions, EtcdTlsOptions } from './channel.ts'
import { connectChannel } from './connection.ts'
import { normalEndpoint } from './endpoint.ts'
import { type GrpcFailure, isTransient, refused, toStoreError } from './failure.ts'
import {
  compactQuestion,
  defragmentQuestion,
  type EtcdMember,
  type EtcdMemberStatus,
  leaseQuestion,
  memberStatusQuestion,
  membersQuestion,
  type RawRange,
  type RawRangeReply,
  rangeQuestion,
} from './operatormessages.ts'
import { streamSnapshot } from './snapshotstream.ts'

/**
 * The client of operators' tools. Unlike a store it gives up as soon as every endpoint has failed: a person waits.
 * Rejects with StoreError.
 */
export interface EtcdOperator {
  readonly endpoints: readonly string[]
  range(request: RawRange): Promise<RawRangeReply>
  compact(revision: number): Promise<void>
  members(): Promise<readonly EtcdMember[]>
  leaseSeconds(id: bigint): Promise<number>
  /** The database of one member, in parts. */
  snapshot(): AsyncIterable<Uint8Array>
  status(endpoint: string): Promise<EtcdMemberStatus>
  defragment(endpoint: string): Promise<void>
  close(): void
}

export interface EtcdOperatorOptions {
  readonly endpoints: readonly string[]
  readonly tls?: EtcdTlsOptions
}

/** Pages of a scan are made smaller where a reply would be longer. */
const replyBytesMax = 16 * 1024 * 1024
const timeoutMs = 10_000
const statusTimeoutMs = 5000
/** A member answers nothing while it compacts or defragments. */
const workTimeoutMs = 10 * 60_000
const pauseMs = 200

/** Connects when first used. */
export function createEtcdOperator(clock: Clock, options: EtcdOperatorOptions): EtcdOperator {
  return new Operator(clock, options)
}

class Operator implements EtcdOperator {
  readonly endpoints: readonly string[]
  readonly #clock: Clock
  readonly #options: ChannelOptions
  readonly #isSecure: boolean
  readonly #channels = new Map<string, Promise<Channel>>()
  /** Index of the endpoint that is tried first. */
  #first = 0

  constructor(clock: Clock, { endpoints, tls }: EtcdOperatorOptions) {
    this.#clock = clock
    this.#isSecure = tls !== undefined
    this.endpoints = endpoints.map((endpoint) => this.#normal(endpoint))
    const times = { connectTimeoutMs: 5000, keepAliveMs: 5500, keepAliveTimeoutMs: 3000 }
    this.#options = { tls, ...times, replyBytesMax }
  }

  range(request: RawRange): Promise<RawRangeReply> {
    return this.#ask(rangeQuestion(request))
  }

  compact(revision: number): Promise<void> {
    return this.#ask(compactQuestion(revision), workTimeoutMs)
  }

  members(): Promise<readonly EtcdMember[]> {
    return this.#ask(membersQuestion())
  }

  leaseSeconds(id: bigint): Promise<number> {
    return this.#ask(leaseQuestion(id))
  }

  async *snapshot(): AsyncIterable<Uint8Array> {
    const channel = await this.#anywhere((endpoint) => this.#channelTo(endpoint))
    yield* streamSnapshot(this.#clock, channel)
  }

  status(endpoint: string): Promise<EtcdMemberStatus> {
    return this.#askAt(this.#normal(endpoint), memberStatusQuestion, statusTimeoutMs)
  }

  defragment(endpoint: string): Promise<void> {
    return this.#askAt(this.#normal(endpoint), defragmentQuestion, workTimeoutMs)
  }

  close(): void {
    for (const connecting of this.#channels.values())
      connecting.then(
        (channel) => channel.destroy('closed'),
        () => {},
      )
    this.#channels.clear()
  }

  /** An endpoint without a port gets etcd's. */
  #normal(endpoint: string): string {
    const text = normalEndpoint(endpoint, this.#isSecure)
    const url = URL.parse(text)
    return url && /^https?:$/.test(url.protocol) && !/:\d+$/.test(endpoint) ? `${url.origin}:2379` : text
  }

  #ask<Reply>(question: Question<Reply>, limitMs = timeoutMs): Promise<Reply> {
    return this.#anywhere((endpoint) => this.#askAt(endpoint, question, limitMs))
  }

  /** All of these requests may be repeated. */
  async #anywhere<Result>(work: (endpoint: string) => Promise<Result>): Promise<Result> {
    for (let tries = 0; ; tries++) {
      try {
        return await work(this.endpoints[this.#first % this.endpoints.length] ?? '')
      } catch (error) {
        const failure = error instanceof StoreError ? (error.cause as GrpcFailure | undefined) : undefined
        if (tries >= this.endpoints.length || !failure || !isTransient(failure)) throw error
        this.#first++
        await this.#clock.sleep(pauseMs)
      }
    }
  }

  async #askAt<Reply>(endpoint: string, question: Question<Reply>, limitMs: number): Promise<Reply> {
    return await ask(this.#clock, await this.#channelTo(endpoint), question, limitMs)
  }

  async #channelTo(endpoint: string): Promise<Channel> {
    const existing = await this.#channels.get(endpoint)?.catch(() => undefined)
    if (existing?.usable) return existing
    const connecting = this.#connect(endpoint)
    this.#channels.set(endpoint, connecting)
    return await connecting
  }

  async #connect(endpoint: string): Promise<Channel> {
    try {
      return await connectChannel(this.#clock, endpoint, this.#options, () => {})
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      throw toStoreError(refused(`${endpoint}: ${message}`))
    }
  }
}
