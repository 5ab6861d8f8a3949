import {
  AssertionError,
  assert,
  type Clock,
  type Closable,
  type Logger,
  type Metrics,
  type Random,
  retry,
  type Tracer,
} from '../../base/index.ts'
import { asRevision, noRevision, type Revision, statusErrors } from '../../object/index.ts'
import {
  prefixEnd,
  type Store,
  StoreError,
  type StoreEvent,
  type StoreWatch,
  type StoreWatchSink,
  type TableState,
} from '../../storage/index.ts'
import { untilAborted } from '../abort.ts'
import type { Feed, PastState, ResourceCache, ResourceOptions, WarmStart } from '../contract.ts'
import { createCacheMetrics, exposeRevisions } from '../metrics.ts'
import { type CacheOptions, defaultCacheOptions } from '../options.ts'
import { type Budgets, createBudgets } from '../state/budgets.ts'
import { CachedResource } from '../state/resource.ts'
import { Ticker } from '../watch/ticker.ts'
import { ExpiryFloor } from './expiryfloor.ts'
import { FreshnessReader } from './freshness.ts'
import { LateLoads } from './lateloads.ts'
import { loadPrefixes } from './load.ts'
import { Progress } from './progress.ts'
import { StoreHistory } from './storehistory.ts'

interface FeedDependencies {
  readonly store: Store
  readonly clock: Clock
  /** Spreads the pauses between failed loads. */
  readonly random?: Random | undefined
  readonly log: Logger
  readonly metrics: Metrics
  readonly tracer?: Tracer | undefined
  readonly warmStart?: WarmStart | undefined
}

/** `prefix`: the prefix of all keys of all resources, with the closing slash: `/registry/`. */
export interface FeedOptions extends Partial<CacheOptions> {
  readonly prefix: string
}

export function createFeed(dependencies: FeedDependencies, { prefix, ...options }: FeedOptions): Feed {
  const all = Object.freeze({ ...defaultCacheOptions, ...options })
  assert(prefix.endsWith('/'), 'feed: the prefix ends with a slash')
  assert(all.historyEventsMin > 0 && all.historyEventsMin <= all.historyEventsMax, 'feed: a history of no size')
  assert(all.resumeRevisions >= 0, 'feed: resumes from the future')
  assert(all.loadPageKeys > 0 && all.batchEventsMax > 0 && all.loadsAtOnceMax > 0, 'feed: work in pieces of nothing')
  return new StoreFeed(dependencies, prefix, all)
}

/**
 * Passes the stream of a store's events to the caches. It loads everything at one revision, watches from the next, and
 * starts over when the store's history no longer reaches back to where the stream broke. The missed events can't be
 * reconstructed then (several writes look like one, a deletion has no revision), so open watches end with 410 Expired
 * and clients list again.
 */
class StoreFeed implements Feed {
  readonly #dependencies: FeedDependencies
  readonly #prefix: string
  readonly #options: CacheOptions
  readonly #progress: Progress
  readonly #expiryFloor: ExpiryFloor
  readonly #storeHistory: StoreHistory
  readonly #reader: FreshnessReader
  readonly #ticker: Ticker
  readonly #budgets: Budgets
  readonly #caches = new Map<string, CachedResource>()
  readonly #closing = new AbortController()
  /** Set while `#watch` is. */
  readonly #lateLoads: LateLoads
  readonly #seconds: Closable
  #watch: StoreWatch | undefined
  /** The revision of the newest load. */
  #loadedAt: Revision = noRevision
  #running: Promise<void> | undefined

  constructor(dependencies: FeedDependencies, prefix: string, options: CacheOptions) {
    const { clock, store, metrics } = dependencies
    this.#dependencies = dependencies
    this.#prefix = prefix
    this.#options = options
    this.#progress = new Progress(clock)
    this.#expiryFloor = new ExpiryFloor(options.snapshotKeepMs)
    this.#storeHistory = new StoreHistory(dependencies, prefix)
    this.#ticker = new Ticker(clock, options)
    this.#budgets = createBudgets({ ...options, entryBytesMax: Math.min(options.entryBytesMin, options.entryBytesMax) })
    this.#lateLoads = new LateLoads({ store, signal: this.#closing.signal }, options)
    const requestProgress = (): boolean => this.#watch?.requestProgress() ?? true
    this.#reader = new FreshnessReader({ store, clock, progress: this.#progress, requestProgress }, options)
    this.#seconds = clock.every(1_000, () => {
      this.#expiryFloor.note(this.#progress.revision, clock.monotonicMs())
      for (const cache of this.#caches.values()) cache.second()
      this.#fitBudgets()
    })
    exposeRevisions(metrics, () => this.#caches.values())
  }

  get revision(): Revision {
    return this.#progress.revision
  }

  get ready(): boolean {
    return this.#watch !== undefined
  }

  async start(signal?: AbortSignal): Promise<void> {
    assert(!this.#running && !this.#closing.signal.aborted, 'feed: started twice or after close')
    const started = new Promise<void>((resolve, reject) => {
      this.#running = this.#run(resolve)
      this.#closing.signal.addEventListener('abort', () => reject(this.#closing.signal.reason as Error))
    })
    await untilAborted(started, signal)
  }

  attach(options: ResourceOptions): ResourceCache {
    const { prefix } = options
    assert(prefix.startsWith(this.#prefix) && prefix.endsWith('/'), `feed: ${prefix} is not below ${this.#prefix}`)
    for (const other of this.#caches.keys())
      assert(!other.startsWith(prefix) && !prefix.startsWith(other), `feed: ${prefix} and ${other} overlap`)
    const { store, clock, metrics, tracer } = this.#dependencies
    const cache = new CachedResource(
      options,
      {
        store,
        clock,
        ticker: this.#ticker,
        progress: this.#progress,
        expiryFloor: this.#expiryFloor,
        storeHistory: this.#storeHistory,
        reader: this.#reader,
        budgets: this.#budgets,
        tracer,
        metrics: createCacheMetrics(metrics, options.resource),
      },
      this.#options,
    )
    this.#caches.set(prefix, cache)
    if (this.#watch) this.#join(cache, this.#watch)
    return cache
  }

  detach(cache: ResourceCache): void {
    const known = this.#caches.get(cache.prefix)
    if (known !== cache) return
    this.#caches.delete(cache.prefix)
    this.#lateLoads.forget(cache.prefix)
    known.close()
  }

  pastState(): PastState | undefined {
    if (!this.ready) return undefined
    const { revision: newest } = this.#progress
    const oldest = Math.max(this.#loadedAt, this.#expiryFloor.floor, newest - this.#options.resumeRevisions)
    const caches = [...this.#caches.values()].filter(({ ready }) => ready)
    const older = caches.map((cache) => cache.stateAt(asRevision(oldest)))
    const revision = older.every((state) => state !== undefined) ? asRevision(oldest) : newest
    const states = revision === newest ? caches.map((cache) => cache.stateAt(newest)) : older
    return { revision, resources: states.filter((state) => state !== undefined) }
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#closing.abort(statusErrors.unavailable('the cache is closed'))
    void this.#seconds.close()
    for (const cache of this.#caches.values()) cache.close()
    this.#caches.clear()
    this.#ticker.close()
    this.#progress.close()
    await this.#running
  }

  // The stream

  async #run(onReady: () => void): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const load = await this.#untilLoaded('loading the store', () => this.#loadAll())
      if (load === undefined) return
      const { noProgressWaitMs } = this.#options
      const caughtUp = (): void => void this.#reader.reach(load.current, noProgressWaitMs).then(onReady)
      const error = await this.#watchFrom(load.revision, caughtUp)
      if (this.#closing.signal.aborted) return
      this.#dependencies.log.warn('the store watch ended; loading again', { code: error.code, error: error.message })
    }
  }

  /** Repeats `attempt` until it succeeds; undefined once the feed is closed. Our own bugs are not retried. */
  async #untilLoaded<T>(name: string, attempt: () => Promise<T>): Promise<T | undefined> {
    const { retryMs: firstMs, retryMsMax: maxMs } = this.#options
    const { signal } = this.#closing
    const isTransient = (error: unknown): boolean => !(error instanceof AssertionError)
    try {
      return await retry(this.#dependencies, { name, firstMs, maxMs, isTransient, signal }, attempt)
    } catch (error) {
      if (signal.aborted) return undefined
      throw error
    }
  }

  /** Resolves when the watch has ended. */
  #watchFrom(revision: Revision, onOpen: () => void): Promise<StoreError> {
    return new Promise((resolve) => {
      const { store } = this.#dependencies
      let over = false
      const finish = (error: StoreError): void => {
        if (over) return
        over = true
        this.#closing.signal.removeEventListener('abort', stop)
        this.#unload()
        resolve(error)
      }
      const stop = (): void => finish(new StoreError('closed', 'the feed is closed'))
      this.#closing.signal.addEventListener('abort', stop)
      const watch = this.#open(store, asRevision(revision + 1), {
        onEvents: (events) => {
          if (!over) this.#applyOrCrash(events, finish)
        },
        onProgress: (progress) => {
          if (!over && progress > this.#progress.revision) this.#progress.advance(progress)
        },
        onEnd: finish,
      })
      if (over || !watch) return
      this.#watch = watch
      // Caches that were attached during the load were not part of it.
      for (const cache of this.#caches.values()) if (!cache.ready) this.#join(cache, watch)
      onOpen()
    })
  }

  /** A closed store throws: the watch counts as ended. */
  #open(store: Store, fromRevision: Revision, sink: StoreWatchSink): StoreWatch | undefined {
    try {
      return store.watch({ start: this.#prefix, end: prefixEnd(this.#prefix), fromRevision }, sink)
    } catch (error) {
      sink.onEnd(error instanceof StoreError ? error : new StoreError('internal', String(error), { cause: error }))
      return undefined
    }
  }

  /**
   * Loads all attached resources at one revision. The first load reads a past one: the stream then delivers the later
   * events, and clients that watched a server before this one resume instead of all listing again.
   */
  async #loadAll(): Promise<{ revision: Revision; current: Revision }> {
    const { store, warmStart } = this.#dependencies
    const current = await store.currentRevision({ signal: this.#closing.signal })
    const warm = await warmStart?.beginLoad(current)
    const past = asRevision(Math.max(1, current - this.#options.resumeRevisions))
    const isFirst = this.#progress.revision === noRevision
    const revisions: Revision[] = []
    if (isFirst && warm !== undefined) revisions.push(warm)
    if (isFirst) revisions.push(past < current ? past : current)
    const from = isFirst ? warmStart : undefined
    for (const revision of revisions) {
      const loaded = await this.#loadUnlessCompacted(revision, from)
      if (loaded !== undefined) return { revision: loaded, current }
    }
    return { revision: await this.#loadAt(current, from), current }
  }

  async #loadUnlessCompacted(revision: Revision, warmStart: WarmStart | undefined): Promise<Revision | undefined> {
    try {
      return await this.#loadAt(revision, warmStart)
    } catch (error) {
      if (error instanceof StoreError && error.code === 'compacted') return undefined
      throw error
    }
  }

  async #loadAt(revision: Revision, warmStart: WarmStart | undefined): Promise<Revision> {
    const caches = new Map(this.#caches)
    const tables = new Map<string, TableState>()
    for (const prefix of caches.keys()) {
      const table = await warmStart?.table(prefix, { revision, signal: this.#closing.signal })
      if (table) tables.set(prefix, table)
    }
    const prefixes = [...caches.keys()].filter((prefix) => !tables.has(prefix))
    const loaded = await loadPrefixes(this.#dependencies.store, prefixes, revision, {
      sizes: this.#options,
      atOnce: this.#options.loadsAtOnceMax,
      signal: this.#closing.signal,
    })
    for (const [prefix, cache] of caches) {
      const table = tables.get(prefix)
      if (table) {
        cache.loadTable(table, revision)
        continue
      }
      const values = loaded.get(prefix)
      assert(values, 'feed: a prefix was not loaded')
      cache.load(values.values, revision)
    }
    this.#loadedAt = revision
    this.#fitBudgets()
    this.#progress.advance(revision)
    return revision
  }

  /** Sets the budgets in proportion to the stored bytes. */
  #fitBudgets(): void {
    const { entryBytesPerStored, entryBytesMin, entryBytesMax, selectedBytesPerStored, selectedBytesMin } =
      this.#options
    const { entries, selected } = this.#budgets
    let storedBytes = 0
    for (const cache of this.#caches.values()) storedBytes += cache.storedBytes
    const wanted = Math.max(entryBytesMin, storedBytes * entryBytesPerStored)
    selected.resize(Math.max(selectedBytesMin, storedBytes * selectedBytesPerStored))
    entries.resize(Math.max(0, Math.min(wanted, entryBytesMax) - selected.usedBytes))
  }

  #unload(): void {
    this.#watch?.close()
    this.#watch = undefined
    this.#lateLoads.clear()
    if (this.#closing.signal.aborted) return
    const expired = statusErrors.expired('The resourceVersion for the provided watch is too old.')
    for (const cache of this.#caches.values()) cache.unload('error', expired)
  }

  /**
   * A broken invariant is no failure of the store, which calls this: it must crash the process instead of being
   * answered to a writer. A program that survives it gets its caches loaded again.
   */
  #applyOrCrash(events: readonly StoreEvent[], finish: (error: StoreError) => void): void {
    try {
      this.#apply(events)
    } catch (error) {
      finish(new StoreError('internal', 'an invariant of the cache is broken', { cause: error }))
      queueMicrotask(() => {
        throw error
      })
    }
  }

  #apply(events: readonly StoreEvent[]): void {
    let revision = this.#progress.revision
    const touched = new Set<CachedResource>()
    const before = revision
    for (const event of events) {
      assert(event.revision >= revision && event.revision > before, `feed: ${event.revision} came after ${revision}`)
      revision = event.revision
      const cache = this.#cacheOf(event.key)
      if (!cache) continue
      if (this.#lateLoads.putAside(cache.prefix, event)) continue
      if (!cache.ready) continue
      cache.apply(event)
      touched.add(cache)
    }
    this.#progress.advance(revision)
    for (const cache of touched) cache.afterEvents()
  }

  #join(cache: CachedResource, watch: StoreWatch): void {
    const isOver = (): boolean => this.#watch !== watch || this.#caches.get(cache.prefix) !== cache
    void this.#untilLoaded(`loading ${cache.prefix}`, () => this.#lateLoads.join(cache, isOver))
  }

  /** The cache whose prefix a key has: prefixes end at a slash and none starts with another. */
  #cacheOf(key: string): CachedResource | undefined {
    for (let slash = key.indexOf('/', this.#prefix.length); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      const cache = this.#caches.get(key.slice(0, slash + 1))
      if (cache) return cache
    }
    return undefined
  }
}
