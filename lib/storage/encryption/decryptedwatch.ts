import {
  type Store,
  StoreError,
  type StoreEvent,
  type StoreWatch,
  type WatchOptions,
  type WatchSink,
} from '../contract.ts'
import { inOrder, isPromise, type Maybe } from './transformer.ts'

/** Events that may wait while a key service is asked. Beyond, the watch ends and is begun anew. */
export const waitingEventsMax = 50_000

/**
 * A watch whose events are decrypted, in their order: what comes after one that takes a while waits behind it. The end
 * waits for nothing: whatever has not been delivered is read anew after it.
 */
export class DecryptedWatch implements StoreWatch {
  readonly #sink: WatchSink
  readonly #decrypt: (event: StoreEvent) => Maybe<StoreEvent>
  readonly #watch: StoreWatch
  /** Resolves when all that came so far is delivered; undefined when it is. */
  #tail: Promise<void> | undefined
  #waiting = 0
  /** Nothing is delivered any more, but the end. */
  #closing = false
  #ended = false

  constructor(store: Store, options: WatchOptions, sink: WatchSink, decrypt: (event: StoreEvent) => Maybe<StoreEvent>) {
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
