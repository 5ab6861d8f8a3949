import {
  type Store,
  StoreError,
  type StoreEvent,
  type StoreWatch,
  type StoreWatchOptions,
  type StoreWatchSink,
} from '../contract.ts'
import { inOrder, isPromise, type Maybe } from './transformer.ts'

/** Events that may wait for a key service. Beyond, the watch ends and the client starts it again. */
export const waitingEventsMax = 50_000

/**
 * A watch that decrypts its events in order: an event behind a slow one waits. The end doesn't wait: the client reads
 * again whatever has not been delivered.
 */
export class DecryptedWatch implements StoreWatch {
  readonly #sink: StoreWatchSink
  readonly #decrypt: (event: StoreEvent) => Maybe<StoreEvent>
  readonly #watch: StoreWatch
  /** Resolves when all events so far are delivered; undefined when none is waiting. */
  #tail: Promise<void> | undefined
  #waiting = 0
  /** Nothing but the end is delivered any more. */
  #closing = false
  #ended = false

  constructor(
    store: Store,
    options: StoreWatchOptions,
    sink: StoreWatchSink,
    decrypt: (event: StoreEvent) => Maybe<StoreEvent>,
  ) {
    this.#sink = sink
    this.#decrypt = decrypt
    this.#watch = store.watch(options, {
      onEvents: (events) => this.#onEvents(events),
      onProgress: (revision) => this.#inTurn(() => this.#sink.onProgress(revision)),
      onEnd: (error) => this.#end(error),
    })
  }

  requestProgress(): boolean {
    return this.#watch.requestProgress()
  }

  close(): void {
    this.#closing = true
    this.#watch.close()
  }

  #onEvents(events: readonly StoreEvent[]): void {
    if (this.#closing) return
    const decrypted = inOrder(events.map((event) => this.#decrypt(event)))
    if (!this.#tail && !isPromise(decrypted)) return this.#sink.onEvents(decrypted)
    this.#waiting += events.length
    if (this.#waiting > waitingEventsMax) return this.#overflow()
    this.#enqueue(async () => {
      const ready = isPromise(decrypted) ? await decrypted : decrypted
      this.#waiting -= ready.length
      if (!this.#closing) this.#sink.onEvents(ready)
    })
  }

  #inTurn(deliver: () => void): void {
    if (this.#closing) return
    if (!this.#tail) return deliver()
    this.#enqueue(async () => {
      if (!this.#closing) deliver()
    })
  }

  #enqueue(step: () => Promise<void>): void {
    const tail = (this.#tail ?? Promise.resolve()).then(step).then(() => {
      if (this.#tail === tail) this.#tail = undefined
    })
    this.#tail = tail
  }

  #overflow(): void {
    this.#end(new StoreError('unavailable', 'too many events wait for their decryption'))
    this.#watch.close()
  }

  #end(error: StoreError): void {
    if (this.#ended) return
    this.#ended = true
    this.#closing = true
    this.#sink.onEnd(error)
  }
}
