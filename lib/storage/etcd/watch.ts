import { assert, backoffMs, type Closable } from '../../base/index.ts'
import { asRevision, noRevision, type Revision } from '../../object/index.ts'
import {
  StoreError,
  type StoreEvent,
  type StoreWatch,
  type StoreWatchOptions,
  type StoreWatchSink,
} from '../contract.ts'
import type { Channel, Exchange, ReplySink } from './channel.ts'
import type { ClientDependencies, EtcdClient } from './client.ts'
import { type GrpcFailure, isMemberTrouble, unknown } from './failure.ts'
import { decodeWatch, encodeWatchCreate, encodeWatchProgress, methods, type WatchReply } from './messages.ts'
import { EtcdMessageReader } from './protobuf.ts'
import { hasSoundProgress, readStatus } from './status.ts'

const backoff = { firstMs: 100, maxMs: 2000 }
const statusTimeoutMs = 5000
const statusRetryMs = 1000

/**
 * A watch over one stream at a time. When a stream ends, the next one begins at the first revision not yet delivered.
 */
export class EtcdWatch implements StoreWatch, ReplySink {
  readonly #dependencies: ClientDependencies
  readonly #client: EtcdClient
  readonly #options: StoreWatchOptions
  readonly #sink: StoreWatchSink
  /** The first revision that has not been delivered; 0 for a watch from "now" until the server has named one. */
  #next: Revision
  /** Events of a reply whose remaining fragments follow. */
  #fragments: StoreEvent[] = []
  #channel: Channel | undefined
  #exchange: Exchange | undefined
  #waiting: Closable | undefined
  #created = false
  #soundProgress = false
  #failures = 0
  #closed = false

  constructor(dependencies: ClientDependencies, client: EtcdClient, options: StoreWatchOptions, sink: StoreWatchSink) {
    this.#dependencies = dependencies
    this.#client = client
    this.#options = options
    this.#sink = sink
    this.#next = options.fromRevision
    this.#open()
  }

  requestProgress(): boolean {
    if (!this.#created || !this.#soundProgress || !this.#exchange) return false
    this.#exchange.write(encodeWatchProgress())
    return true
  }

  close(): void {
    this.end(new StoreError('closed', 'the watch was closed'))
  }

  end(error: StoreError): void {
    if (this.#closed) return
    this.#closed = true
    void this.#waiting?.close()
    this.#exchange?.cancel()
    this.#exchange = undefined
    this.#sink.onEnd(error)
  }

  onMessage(message: Buffer): void {
    if (this.#closed) return
    const reply = decodeWatch(new EtcdMessageReader(message))
    if (reply.canceled) this.#onCanceled(reply)
    else if (reply.created) this.#onCreated(reply)
    else if (reply.events.length > 0) this.#onEvents(reply)
    else if (this.#fragments.length === 0) this.#onProgress(reply.revision)
  }

  onPart(): void {}

  onEnd(failure: GrpcFailure | undefined): void {
    this.#exchange = undefined
    if (!this.#closed) this.#reopen(failure ?? unknown('the stream ended'))
  }

  #open(): void {
    this.#created = false
    this.#fragments = []
    const { start, end } = this.#options
    this.#waiting = this.#client.withChannel((channel) => {
      if (channel !== this.#channel) {
        this.#channel = channel
        this.#soundProgress = false
        this.#learnVersion(channel)
      }
      try {
        this.#exchange = channel.open(methods.watch, encodeWatchCreate(start, end, this.#next), true, this)
      } catch (error) {
        this.#reopen(unknown(String(error)))
      }
    })
  }

  #learnVersion(channel: Channel): void {
    const { clock, log } = this.#dependencies
    const isOver = (): boolean => this.#closed || this.#channel !== channel || !channel.usable
    readStatus(clock, channel, statusTimeoutMs).then(
      ({ version }) => {
        if (this.#channel === channel) this.#soundProgress = hasSoundProgress(version)
      },
      (error: unknown) => {
        log.verbose(2, 'etcd: cannot read the version', { error: String(error) })
        // Without the version every read of an idle cluster would go to the store.
        if (!isOver()) clock.after(statusRetryMs, () => isOver() || this.#learnVersion(channel))
      },
    )
  }

  #reopen(failure: GrpcFailure): void {
    const { clock, random, log } = this.#dependencies
    this.#sink.onInterrupted?.()
    log.verbose(2, 'etcd: the watch continues on another stream', { next: this.#next, reason: failure.message })
    if (this.#channel && isMemberTrouble(failure)) this.#client.avoid(this.#channel)
    // The first failure is most often a broken connection.
    const pauseMs = this.#failures === 0 ? 0 : backoffMs(backoff, this.#failures, random)
    this.#failures++
    this.#waiting = clock.after(pauseMs, () => this.#open())
  }

  #onCreated(reply: WatchReply): void {
    this.#created = true
    this.#failures = 0
    if (this.#next === noRevision) this.#next = asRevision(reply.revision + 1)
  }

  #onCanceled(reply: WatchReply): void {
    if (reply.compactRevision > 0)
      return this.end(
        new StoreError('compacted', `etcd: history before ${reply.compactRevision} is compacted`, {
          revision: reply.compactRevision,
        }),
      )
    this.#exchange?.cancel()
    this.#exchange = undefined
    this.#reopen(unknown(reply.cancelReason || 'the watch was cancelled'))
  }

  /** etcd splits a revision only into fragments, which follow each other. */
  #onEvents(reply: WatchReply): void {
    const events = this.#fragments.length > 0 ? this.#fragments.concat(reply.events) : reply.events
    if (reply.fragment) {
      this.#fragments = events
      return
    }
    this.#fragments = []
    let last: Revision = noRevision
    for (const event of events) {
      assert(event.revision >= last, 'etcd: events out of order')
      last = event.revision
    }
    const first = events[0]?.revision ?? noRevision
    const fresh = first < this.#next ? events.filter((event) => event.revision >= this.#next) : events
    this.#next = asRevision(Math.max(this.#next, last + 1))
    if (fresh.length > 0) this.#sink.onEvents(fresh)
  }

  #onProgress(revision: Revision): void {
    if (!this.#created || revision < this.#next - 1) return
    this.#next = asRevision(revision + 1)
    this.#sink.onProgress(revision)
  }
}
