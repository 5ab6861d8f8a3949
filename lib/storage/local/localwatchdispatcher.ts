import type { Clock } from '../../base/index.ts'
import { asRevision, noRevision, type Revision } from '../../object/index.ts'
import { StoreError, type StoreWatch, type StoreWatchOptions, type StoreWatchSink } from '../contract.ts'
import type { LogRecord, Tables } from './tables.ts'

/** Records that a watch takes in one slice when it catches up; others run in between. */
const catchUpRecordsMax = 500

/**
 * Passes committed records to watches. There is no queue: a watch is a position in the log. A watch that is up to date
 * gets new records as they are published; another one reads the log until it is.
 */
export class LocalWatchDispatcher {
  readonly #clock: Clock
  readonly #tables: Tables
  readonly #dispatcher = new Set<LocalWatch>()
  /** Watches that are up to date have received everything up to this revision. */
  #published: Revision

  constructor(clock: Clock, tables: Tables) {
    this.#clock = clock
    this.#tables = tables
    this.#published = tables.revision()
  }

  get published(): Revision {
    return this.#published
  }

  watch(options: StoreWatchOptions, sink: StoreWatchSink): StoreWatch {
    const from = options.fromRevision === noRevision ? asRevision(this.#published + 1) : options.fromRevision
    const watch = new LocalWatch(this, { ...options, fromRevision: from }, sink)
    this.#dispatcher.add(watch)
    // The caller gets the watch before its first event.
    queueMicrotask(() => this.catchUp(watch))
    return watch
  }

  /** Takes records in order, each once. */
  publish(records: readonly LogRecord[]): void {
    this.#published = records.at(-1)?.revision ?? this.#published
    for (const watch of this.#dispatcher) if (watch.live) watch.deliver(records)
  }

  catchUp(watch: LocalWatch): void {
    if (watch.closed) return
    let records: readonly LogRecord[]
    try {
      records = this.#recordsFor(watch)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      return watch.end(error)
    }
    watch.deliver(records)
    if (records.length > 0 && watch.next <= this.#published) return void this.#clock.soon(() => this.catchUp(watch))
    watch.goLive()
  }

  /** Throws StoreError `compacted`, or `internal` when the records can't be read. */
  #recordsFor({ next }: LocalWatch): readonly LogRecord[] {
    const compacted = this.#tables.compacted()
    if (next < compacted)
      throw new StoreError('compacted', `history before ${compacted} is compacted`, { revision: compacted })
    return next <= this.#published ? this.#tables.records(next, catchUpRecordsMax) : []
  }

  forget(watch: LocalWatch): void {
    this.#dispatcher.delete(watch)
  }

  close(): void {
    for (const watch of this.#dispatcher) watch.end(new StoreError('closed', 'the store is closed'))
  }
}

class LocalWatch implements StoreWatch {
  readonly #dispatcher: LocalWatchDispatcher
  readonly #options: StoreWatchOptions
  readonly #sink: StoreWatchSink
  /** The first revision that the watch hasn't read. */
  next: Revision
  /** The watch has received everything that is published. */
  live = false
  closed = false
  #owesProgress = false

  constructor(dispatcher: LocalWatchDispatcher, options: StoreWatchOptions, sink: StoreWatchSink) {
    this.#dispatcher = dispatcher
    this.#options = options
    this.#sink = sink
    this.next = options.fromRevision
  }

  deliver(records: readonly LogRecord[]): void {
    const last = records.at(-1)
    if (!last || last.revision < this.next) return
    const { start, end } = this.#options
    const events = records.filter(({ key, revision }) => revision >= this.next && key >= start && key < end)
    this.next = asRevision(last.revision + 1)
    if (events.length > 0 && !this.closed) this.#sink.onEvents(events)
  }

  goLive(): void {
    this.live = true
    if (this.#owesProgress) this.#progress()
  }

  requestProgress(): boolean {
    if (this.closed) return false
    if (!this.#owesProgress)
      queueMicrotask(() => {
        if (this.live) this.#progress()
      })
    this.#owesProgress = true
    return true
  }

  close(): void {
    this.end(new StoreError('closed', 'the watch was closed'))
  }

  end(error: StoreError): void {
    if (this.closed) return
    this.closed = true
    this.#dispatcher.forget(this)
    this.#sink.onEnd(error)
  }

  #progress(): void {
    this.#owesProgress = false
    if (!this.closed && this.#dispatcher.published >= this.next - 1) this.#sink.onProgress(this.#dispatcher.published)
  }
}
