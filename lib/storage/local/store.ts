import {
  assert,
  type Clock,
  type Closable,
  inOwnMemory,
  type Logger,
  type PausableWork,
  Pauses,
} from '../../base/index.ts'
import { asRevision, noRevision, type Revision } from '../../object/index.ts'
import {
  type RangeOptions,
  type RangeResult,
  type ReadOptions,
  type Store,
  type StoredValue,
  StoreError,
  type StoreMember,
  type StoreWatch,
  type StoreWatchOptions,
  type StoreWatchSink,
  type StoreWriteOptions,
  type WriteResult,
} from '../contract.ts'
import { contentOf, planRestore, type StoreContent } from './content.ts'
import { planSweep, readKey, readRange, storedValue } from './history.ts'
import { LocalWatchDispatcher } from './localwatchdispatcher.ts'
import { PastKeys } from './pastkeys.ts'
import type { Head, LogRecord, Tables } from './tables.ts'

export interface LocalStoreDependencies {
  clock: Clock
  log: Logger
}

interface LocalStoreOptions {
  /** Compacts to the revision of one interval ago; 0: never. */
  compactionIntervalMs: number
  /**
   * A commit is expensive, however little it writes: it waits for the writes of all pending I/O. Default: for those of
   * the same moment.
   */
  isCostly?: boolean
}

/** Size of a key and its value together, as etcd's --max-request-bytes. */
const requestBytesMax = 1.5 * 1024 * 1024
const keyBytesMax = 1900
/** Writes that may wait for a commit. */
const queuedMax = 100_000
const batchMax = 2000
const batchBytesMax = 32 * 1024 * 1024
const expiryMs = 500
const expiredMax = 1000

/** The key that raiseRevision deletes, without it having existed: the newest revision always has a record. */
const raiseKey = 'pilothouse/raised'

const noValue = new Uint8Array(0)

/** A write that isn't answered yet. */
interface Pending {
  readonly key: string
  /** Undefined: a deletion. */
  readonly value: Uint8Array | undefined
  readonly expected: Revision
  readonly ttlSeconds: number
  readonly signal: AbortSignal | undefined
  readonly resolve: (result: WriteResult) => void
  readonly reject: (error: unknown) => void
}

/** The decisions about a batch: the records to make durable, and the answers to give then. */
interface Decision {
  readonly records: readonly LogRecord[]
  readonly answers: readonly (() => void)[]
}

/**
 * A Store on tables of this process. Writes queue up during a commit and then share the next one, each with its own
 * revision; they are answered, and watches get them, once it is durable.
 */
export class LocalStore implements Store {
  readonly name: 'embedded' | 'memory'
  readonly #clock: Clock
  readonly #log: Logger
  readonly #pauses: Pauses
  readonly #isCostly: boolean
  readonly #tables: Tables
  readonly #past: PastKeys
  readonly #watches: LocalWatchDispatcher
  readonly #timers: Closable[]
  /** Everything up to this revision is durable; no answer names a later one. */
  #durable: Revision
  #queue: Pending[] = []
  #running: Promise<void> | undefined
  /** Never rejects. */
  #compacting: Promise<void>
  #expiring = false
  #closed = false

  constructor(
    name: 'embedded' | 'memory',
    dependencies: LocalStoreDependencies,
    tables: Tables,
    options: LocalStoreOptions,
  ) {
    this.name = name
    this.#clock = dependencies.clock
    this.#log = dependencies.log
    this.#pauses = new Pauses(dependencies.clock)
    this.#isCostly = options.isCostly ?? false
    this.#tables = tables
    this.#past = new PastKeys(tables)
    this.#watches = new LocalWatchDispatcher(this.#clock, tables)
    this.#durable = tables.revision()
    this.#timers = [this.#clock.every(expiryMs, () => void this.#expire())]
    if (options.compactionIntervalMs > 0) this.#timers.push(this.#compactEvery(options.compactionIntervalMs))
    // Continues a compaction that was cut short; if that fails, the next one continues it.
    this.#compacting = this.#sweep().catch((error: unknown) =>
      this.#log.warn('storage: compaction failed', { revision: this.#tables.compacted(), error: String(error) }),
    )
  }

  async get(key: string, options: ReadOptions = {}): Promise<{ value: StoredValue | undefined; revision: Revision }> {
    return await this.#read(readKey(this.#tables, key, options.revision, this.#past), options.signal)
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    return await this.#read(readRange(this.#tables, options, this.#past), options.signal)
  }

  create(key: string, value: Uint8Array, options: StoreWriteOptions = {}): Promise<WriteResult> {
    return this.#enqueue(key, value, noRevision, options)
  }

  update(key: string, value: Uint8Array, expected: Revision, options: StoreWriteOptions = {}): Promise<WriteResult> {
    return this.#enqueue(key, value, expected, options)
  }

  delete(key: string, expected: Revision, options: { signal?: AbortSignal } = {}): Promise<WriteResult> {
    return this.#enqueue(key, undefined, expected, options)
  }

  async currentRevision(options: { signal?: AbortSignal } = {}): Promise<Revision> {
    this.#check(options.signal)
    return this.#tables.revision()
  }

  revisionNow(): Revision {
    this.#check(undefined)
    return this.#durable
  }

  /**
   * Makes `to` the newest revision, unless there are newer ones: revisions of another store's objects stay in the past.
   */
  async raiseRevision(to: Revision): Promise<void> {
    while (this.#running) await this.#running
    this.#check(undefined)
    if (to <= this.#tables.revision()) return
    const none = { value: noValue, createRevision: noRevision, previous: noRevision, expiresAtMs: 0 }
    const record: LogRecord = { type: 'delete', key: raiseKey, revision: to, ...none }
    const raising = this.#tables.append([record])
    // Writes that arrive meanwhile wait as for a commit.
    this.#running = raising.catch(() => {}).then(() => this.#drain())
    await raising
    this.#durable = to
    this.#watches.publish([record])
  }

  /** All keys as they are now. Takes time in proportion to their number; nothing is copied. */
  async content(): Promise<StoreContent> {
    while (this.#running) await this.#running
    this.#check(undefined)
    return contentOf(this.#tables, this.#clock.now())
  }

  /**
   * Brings the keys back to an earlier content, by writes like all others: watches receive them, and revisions ascend.
   * No other write comes in between.
   */
  async restore(content: StoreContent): Promise<void> {
    while (this.#running) await this.#running
    this.#check(undefined)
    const records = planRestore(this.#tables, content, this.#clock.now())
    const restoring = this.#appendAll(records)
    // Writes that arrive meanwhile wait as for a commit.
    this.#running = restoring.catch(() => {}).then(() => this.#drain())
    await restoring
  }

  async #appendAll(records: readonly LogRecord[]): Promise<void> {
    for (let from = 0; from < records.length; from += batchMax) {
      const batch = records.slice(from, from + batchMax)
      await this.#tables.append(batch)
      this.#durable = batch.at(-1)?.revision ?? this.#durable
      this.#watches.publish(batch)
    }
  }

  watch(options: StoreWatchOptions, sink: StoreWatchSink): StoreWatch {
    this.#check(undefined)
    return this.#watches.watch(options, sink)
  }

  async compact(revision: Revision): Promise<void> {
    this.#check(undefined)
    const newest = this.#tables.revision()
    if (revision > newest) throw new StoreError('future-revision', `revision ${revision} is beyond ${newest}`)
    if (revision <= this.#tables.compacted()) return
    // One after the other: an older one that ended last would make removed records readable.
    const compacting = this.#compacting.then(() => this.#compactTo(revision))
    // Only the caller that began it gets its failure.
    this.#compacting = compacting.catch(() => {})
    await compacting
  }

  async ping(): Promise<void> {
    this.#check(undefined)
    this.#tables.revision()
  }

  compactedRevision(): Revision {
    this.#check(undefined)
    return this.#tables.compacted()
  }

  async members(): Promise<readonly StoreMember[]> {
    this.#check(undefined)
    return [{ ...this.#tables.size(), isLeader: true }]
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    for (const timer of this.#timers) void timer.close()
    await this.#running
    await this.#compacting
    this.#watches.close()
    await this.#tables.close()
  }

  async #read<T>(slices: PausableWork<T>, signal: AbortSignal | undefined): Promise<T> {
    for (;;) {
      this.#check(signal)
      const { done, value } = slices.next()
      if (done) return value
      await this.#pauses.pause()
    }
  }

  #check(signal: AbortSignal | undefined): void {
    if (this.#closed) throw new StoreError('closed', 'the store is closed')
    if (signal?.aborted) throw new StoreError('aborted', 'the caller gave up')
  }

  #enqueue(
    key: string,
    value: Uint8Array | undefined,
    expected: Revision,
    { signal, ttlSeconds = 0 }: StoreWriteOptions,
  ): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      this.#check(signal)
      const keyBytes = Buffer.byteLength(key)
      if (keyBytes > keyBytesMax || keyBytes + (value?.length ?? 0) > requestBytesMax)
        throw new StoreError('too-large', `the request exceeds ${requestBytesMax} bytes, or its key ${keyBytesMax}`)
      if (this.#queue.length >= queuedMax) throw new StoreError('unavailable', 'too many writes wait')
      this.#queue.push({ key, value: value && inOwnMemory(value), expected, ttlSeconds, signal, resolve, reject })
      this.#running ??= this.#drain()
    })
  }

  async #drain(): Promise<void> {
    // The writes that arrive meanwhile share the commit.
    await (this.#isCostly ? this.#pauses.pause() : Promise.resolve())
    while (this.#queue.length > 0) await this.#commit(this.#takeBatch())
    this.#running = undefined
  }

  #takeBatch(): Pending[] {
    let bytes = 0
    let count = 0
    for (const { value } of this.#queue) {
      if (count >= batchMax || (count > 0 && bytes > batchBytesMax)) break
      bytes += value?.length ?? 0
      count++
    }
    const batch = count === this.#queue.length ? this.#queue : this.#queue.slice(0, count)
    this.#queue = this.#queue.slice(count)
    return batch
  }

  async #commit(batch: readonly Pending[]): Promise<void> {
    let decided: Decision
    try {
      decided = this.#decide(batch)
      if (decided.records.length > 0) await this.#tables.append(decided.records)
    } catch (error) {
      // Nothing of the batch happened, and a refusal may rest on a write that didn't happen.
      for (const { reject } of batch) reject(error)
      return
    }
    this.#durable = decided.records.at(-1)?.revision ?? this.#durable
    for (const answer of decided.answers) answer()
    if (decided.records.length > 0) this.#watches.publish(decided.records)
  }

  /** Decides each write, given the tables and the earlier writes of the batch. */
  #decide(batch: readonly Pending[]): Decision {
    const answers: (() => void)[] = []
    const records: LogRecord[] = []
    /** The last record of each key that the batch writes. */
    const written = new Map<string, LogRecord>()
    let revision = this.#tables.revision()
    for (const pending of batch) {
      const { key, expected, resolve, reject, signal } = pending
      if (signal?.aborted) {
        answers.push(() => reject(new StoreError('aborted', 'the caller gave up')))
        continue
      }
      const before = written.get(key)
      const head = before ? (before.type === 'put' ? before : undefined) : this.#tables.head(key)
      if ((head?.revision ?? noRevision) !== expected || (expected === noRevision && !pending.value)) {
        const record = head && (before ?? this.#tables.record(head.revision))
        const current = record && storedValue(record)
        const shown = revision
        answers.push(() => resolve({ ok: false, current, revision: shown }))
        continue
      }
      revision = asRevision(revision + 1)
      const record = this.#recordOf(pending, head, revision)
      written.set(key, record)
      records.push(record)
      answers.push(() => resolve({ ok: true, revision: record.revision }))
    }
    return { records, answers }
  }

  #recordOf(pending: Pending, head: Head | undefined, revision: Revision): LogRecord {
    const { key, value, ttlSeconds } = pending
    const previous = head?.revision ?? noRevision
    if (!value)
      return { type: 'delete', key, value: noValue, createRevision: noRevision, revision, previous, expiresAtMs: 0 }
    const createRevision = head?.createRevision ?? revision
    const expiresAtMs = ttlSeconds > 0 ? this.#clock.now() + ttlSeconds * 1000 : 0
    return { type: 'put', key, value, createRevision, revision, previous, expiresAtMs }
  }

  async #expire(): Promise<void> {
    if (this.#expiring || this.#closed) return
    this.#expiring = true
    try {
      const due = this.#tables.due(this.#clock.now(), expiredMax)
      if (due.length === 0) return
      // A key that was written meanwhile has another revision and stays.
      await Promise.all(due.map(({ key, revision }) => this.#enqueue(key, undefined, revision, {})))
    } catch (error) {
      if (!this.#closed) this.#log.warn('storage: expired keys stay for now', { error: String(error) })
    } finally {
      this.#expiring = false
    }
  }

  #compactEvery(intervalMs: number): Closable {
    let noted = this.#tables.revision()
    return this.#clock.every(intervalMs, () => {
      const target = noted
      noted = this.#durable
      this.compact(target).catch((error: unknown) => {
        if (!this.#closed) this.#log.warn('storage: compaction failed', { revision: target, error: String(error) })
      })
    })
  }

  async #compactTo(revision: Revision): Promise<void> {
    this.#check(undefined)
    if (revision > this.#tables.compacted()) await this.#tables.setCompacted(revision)
    this.#past.compact(revision)
    await this.#sweep()
  }

  async #sweep(): Promise<void> {
    for (let step = planSweep(this.#tables); step && !this.#closed; step = planSweep(this.#tables)) {
      const before = this.#tables.swept()
      await this.#tables.sweep(step.removed, step.swept)
      assert(this.#tables.swept() > before, 'storage: the sweep makes no progress')
    }
  }
}
