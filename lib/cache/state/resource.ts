import { assert, type Clock, type Tracer, type Tree } from '../../base/index.ts'
import { asRevision, type GroupResource, noRevision, type Revision, statusErrors } from '../../object/index.ts'
import type { Store, StoredValue, StoreEvent, TableState } from '../../storage/index.ts'
import { untilAborted } from '../abort.ts'
import type {
  CacheGetOptions,
  CacheListOptions,
  CacheWatch,
  CacheWatchOptions,
  CacheWatchSink,
  Entry,
  GetResult,
  ListResult,
  PastResource,
  Predicate,
  ResourceCache,
  ResourceOptions,
  WatchEnd,
  WriteHint,
} from '../contract.ts'
import { type DirectReads, getDirect, listDirect } from '../feed/direct.ts'
import type { ExpiryFloor } from '../feed/expiryfloor.ts'
import type { FreshnessReader } from '../feed/freshness.ts'
import type { Progress } from '../feed/progress.ts'
import { RevisionWaits } from '../feed/revisionwaits.ts'
import type { StoreHistory } from '../feed/storehistory.ts'
import type { CacheMetrics } from '../metrics.ts'
import type { CacheOptions } from '../options.ts'
import { type CacheSpans, createCacheSpans } from '../spans.ts'
import type { Ticker } from '../watch/ticker.ts'
import { WatchDispatcher } from '../watch/watchdispatcher.ts'
import { beginTooOld } from '../watch/watcher.ts'
import type { Budgets } from './budgets.ts'
import { CacheEvent } from './cacheevent.ts'
import { type Column, createColumns } from './columns.ts'
import { CurrentEntries } from './currententries.ts'
import { CacheEntry } from './entry.ts'
import { createEntryHome, type EntryHome } from './entryhome.ts'
import { History } from './history.ts'
import { readPage } from './page.ts'
import { pastResource } from './pastresource.ts'
import { SharedBlocks } from './sharedblocks.ts'
import { Snapshots } from './snapshots.ts'
import { WriteHints } from './writehints.ts'

interface ResourceDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly ticker: Ticker
  readonly progress: Progress
  readonly expiryFloor: ExpiryFloor
  readonly storeHistory: StoreHistory
  readonly reader: FreshnessReader
  readonly budgets: Budgets
  readonly metrics: CacheMetrics
  readonly tracer: Tracer | undefined
}

/** The cache of one resource: its state, and the reads of it. The feed loads it and applies the store's events to it. */
export class CachedResource implements ResourceCache {
  readonly resource: GroupResource
  readonly prefix: string
  readonly #dependencies: ResourceDependencies
  readonly #options: CacheOptions
  readonly #home: EntryHome
  readonly #dispatcher: WatchDispatcher
  readonly #direct: DirectReads
  /** Undefined without tracing. */
  readonly #spans: CacheSpans | undefined
  readonly #writeHints: WriteHints
  readonly #waits: RevisionWaits
  readonly #becomesReady = new Set<{ resolve: () => void; reject: (error: Error) => void }>()
  #state: 'loading' | 'ready' | 'closed' = 'loading'
  readonly #entries: CurrentEntries
  readonly #columns: readonly Column[]
  #history: History
  #snapshots: Snapshots
  /** The revision of the last load: the feed may still be behind it, and its events up to here are skipped. */
  #loaded: Revision = noRevision

  constructor(of: ResourceOptions, dependencies: ResourceDependencies, options: CacheOptions) {
    const { store, clock, ticker, budgets, metrics } = dependencies
    const blocks = new SharedBlocks()
    this.resource = of.resource
    this.prefix = of.prefix
    this.#dependencies = dependencies
    this.#options = options
    this.#home = createEntryHome(of, budgets, blocks, () => metrics.undecodable())
    const { selected: allotment, labelSets } = budgets
    this.#entries = new CurrentEntries(of.indexes ?? [], { ticker, allotment, labelSets, blocks }, options)
    this.#columns = createColumns(of.indexes ?? [], { hasStoredLabels: of.storedLabels !== undefined })
    this.#history = this.#newHistory(noRevision)
    this.#snapshots = new Snapshots(this.#history, options)
    const dispatcherDependencies = { ...metrics, clock, ticker, revision: () => this.revision }
    this.#dispatcher = new WatchDispatcher(of.prefix, this.#history, dispatcherDependencies, options)
    this.#direct = {
      store,
      pageKeys: options.loadPageKeys,
      entryOf: (value) => this.#entryOf(value),
      listed: metrics.listedFromStore,
    }
    this.#spans = dependencies.tracer && createCacheSpans(dependencies.tracer, of.resource)
    this.#writeHints = new WriteHints(options.writeHintsMax)
    this.#waits = new RevisionWaits(dependencies, () => this.revision)
  }

  get ready(): boolean {
    return this.#state === 'ready'
  }

  get revision(): Revision {
    const { revision } = this.#dependencies.progress
    return revision > this.#loaded ? revision : this.#loaded
  }

  get #tree(): Tree<CacheEntry> {
    return this.#entries.tree
  }

  get size(): number {
    return this.#tree.size
  }

  get storedBytes(): number {
    return this.#entries.storedBytes
  }

  get watchers(): number {
    return this.#dispatcher.size
  }

  whenReady(signal?: AbortSignal): Promise<void> {
    if (this.#state === 'ready') return Promise.resolve()
    if (this.#state === 'closed') return Promise.reject(closedError())
    const ready = new Promise<void>((resolve, reject) => void this.#becomesReady.add({ resolve, reject }))
    return untilAborted(ready, signal)
  }

  // Called by the feed

  /** Replaces everything with the state at `revision`. Unchanged entries keep their derived values. */
  load(values: readonly StoredValue[], revision: Revision): void {
    if (this.#state === 'closed') return
    this.#entries.load(values, (value) => this.#newEntry(value))
    this.#begin(revision, values.length)
  }

  /** As `load`, of what an earlier cache of this resource has saved. */
  loadTable(state: TableState, revision: Revision): void {
    if (this.#state === 'closed') return
    this.#entries.loadTable(state, (value, position) => this.#newEntry(value, false, position))
    this.#begin(revision, this.size)
  }

  #begin(revision: Revision, size: number): void {
    this.#loaded = revision
    this.#history = this.#newHistory(revision)
    this.#snapshots = new Snapshots(this.#history, this.#options)
    this.#snapshots.changed(this.#tree, revision, this.#dependencies.clock.monotonicMs())
    this.#dispatcher.reset(this.#history, 'closed')
    this.#writeHints.clear()
    this.#state = 'ready'
    this.#dependencies.metrics.initialized()
    this.#dependencies.metrics.listedFromStore(size, size, size)
    for (const waiting of this.#becomesReady) waiting.resolve()
    this.#becomesReady.clear()
  }

  apply(event: StoreEvent): void {
    if (event.revision <= this.#loaded) return
    const { budgets, clock, metrics } = this.#dependencies
    const { key, revision, unreadable } = event
    let current: CacheEntry | undefined
    let previous: CacheEntry | undefined
    if (event.type === 'put') {
      const { value, createRevision } = event
      current = this.#newEntry({ key, value, modRevision: revision, createRevision, unreadable })
      const hint = this.#writeHints.take(key, revision)
      if (hint) current.adopt(hint)
      previous = this.#entries.put(current)
      assert(
        (previous === undefined) === (createRevision === revision),
        `cache: ${key} at ${revision} was created at ${createRevision}, and before it was ${previous ? 'known' : 'unknown'}`,
      )
    } else {
      previous = this.#entries.delete(key)
      assert(previous, `cache: ${key} was deleted at ${revision} and never known`)
    }
    this.#history.append(new CacheEvent(budgets, { revision, atMs: clock.monotonicMs(), previous, current }))
    metrics.received()
  }

  /** Called after some events, once the feed's revision shows them. */
  afterEvents(): void {
    this.#snapshots.changed(this.#tree, this.revision, this.#dependencies.clock.monotonicMs())
    this.#dispatcher.publish()
  }

  /** The stream broke: the cache is out of date until the next load. */
  unload(end: WatchEnd, error?: unknown): void {
    if (this.#state === 'closed') return
    this.#state = 'loading'
    this.#dispatcher.reset(this.#history, end, error)
  }

  /** The state at `revision`, which the feed has reached; undefined where it is no longer known, or was never. */
  stateAt(revision: Revision): PastResource | undefined {
    if (this.#state !== 'ready' || revision < this.#loaded) return undefined
    const tree = this.#snapshots.at(revision, this.#tree)?.clone()
    return tree && pastResource(this.prefix, tree, this.#columns)
  }

  renew(): void {
    this.#entries.renew((entry) => entry.renew())
  }

  second(): void {
    const nowMs = this.#dependencies.clock.monotonicMs()
    this.#history.expire(nowMs)
    this.#snapshots.expire(nowMs)
    this.#entries.second(nowMs)
    this.#dispatcher.second()
    // Watches have reported the repaired objects as unreadable: they end, start again and read them.
    void this.#entries.tryAgain(() => this.#dispatcher.reset(this.#history, 'closed'))
  }

  close(): void {
    if (this.#state === 'closed') return
    this.unload('closed')
    this.#state = 'closed'
    this.#history.clear()
    this.#entries.clear()
    this.#snapshots = new Snapshots(this.#history, this.#options)
    for (const waiting of this.#becomesReady) waiting.reject(closedError())
    this.#becomesReady.clear()
  }

  // Reads

  peek(key: string): Entry | undefined {
    return this.#state === 'ready' ? this.#tree.get(key) : undefined
  }

  get(key: string, options: CacheGetOptions): Promise<GetResult> {
    const spans = this.#spans
    return spans ? spans.get(key, options.at, () => this.#get(key, options)) : this.#get(key, options)
  }

  list(options: CacheListOptions): Promise<ListResult> {
    const spans = this.#spans
    return spans ? spans.list(() => this.#list(options)) : this.#list(options)
  }

  watch(options: CacheWatchOptions, sink: CacheWatchSink): Promise<CacheWatch> {
    const spans = this.#spans
    return spans ? spans.watch(() => this.#watch(options, sink)) : this.#watch(options, sink)
  }

  async #get(key: string, { at, signal }: CacheGetOptions): Promise<GetResult> {
    if (at.kind === 'exact') {
      const { revision } = at
      const fromStore = (): Promise<GetResult> => getDirect(this.#direct, key, revision, signal)
      return this.#readAt(revision, signal, (tree) => ({ entry: tree.get(key), revision }), fromStore)
    }
    if (at.kind === 'latest' && this.#state === 'loading') return getDirect(this.#direct, key, undefined, signal)
    this.#requireReady()
    if ((await this.#waits.missing(at, signal)) !== undefined) return getDirect(this.#direct, key, undefined, signal)
    this.#spans?.fresh()
    this.#requireReady()
    return { entry: this.#tree.get(key), revision: this.revision }
  }

  async #list(options: CacheListOptions): Promise<ListResult> {
    const { at, signal } = options
    if (at.kind === 'exact') {
      const { revision } = at
      const fromStore = (): Promise<ListResult> => listDirect(this.#direct, options, revision)
      return this.#readAt(revision, signal, (tree) => this.#page(tree, revision, options), fromStore)
    }
    this.#requireReady()
    if ((await this.#waits.missing(at, signal)) !== undefined) return listDirect(this.#direct, options, undefined)
    this.#spans?.fresh()
    this.#requireReady()
    return this.#page(this.#tree, this.revision, options)
  }

  async #watch(options: CacheWatchOptions, sink: CacheWatchSink): Promise<CacheWatch> {
    const { from, signal } = options
    this.#requireReady()
    const missing = from.kind === 'after' ? undefined : await this.#waits.missing(from.at, signal)
    if (missing !== undefined) throw this.#waits.tooLarge(missing)
    const isExpired = from.kind === 'after' && (await this.#isExpired(from.revision))
    this.#spans?.fresh()
    signal?.throwIfAborted()
    this.#requireReady()
    if (this.#dispatcher.full) throw statusErrors.tooManyRequests('too many watches', 1)
    if (from.kind !== 'after') return this.#watchNow(options, sink)
    return this.#watchAfter(from.revision, isExpired, options, sink)
  }

  adopt(hint: WriteHint): void {
    if (this.#state !== 'ready') return
    const entry = this.#tree.get(hint.key)
    if (entry?.revision === hint.revision) entry.adopt(hint)
    else if (hint.revision > this.revision) this.#writeHints.put(hint)
  }

  /**
   * Revisions that the store has compacted are expired, even if this history has them. A watch that missed none
   * continues.
   */
  async #isExpired(revision: Revision): Promise<boolean> {
    const cursor = this.#history.after(revision)
    if (cursor === undefined) return true
    return (
      cursor < this.#history.next && !(await this.#dependencies.storeHistory.has(this.#history.at(cursor).revision))
    )
  }

  #watchAfter(revision: Revision, isExpired: boolean, options: CacheWatchOptions, sink: CacheWatchSink): CacheWatch {
    const { clock, storeHistory } = this.#dependencies
    const cursor = this.#history.after(revision)
    const oldest = asRevision(Math.max(this.#history.floor, storeHistory.compacted))
    if (isExpired || cursor === undefined) return beginTooOld(clock, { ...options, sink }, revision, oldest)
    return this.#dispatcher.add(options, sink, { after: revision, cursor, initial: undefined })
  }

  #watchNow(options: CacheWatchOptions, sink: CacheWatchSink): CacheWatch {
    const { revision } = this
    const endBookmark = options.initialEventsEnd === true && options.bookmarks === true
    const tree = this.#indexed(options.predicate) ?? this.#tree.clone()
    const initial = options.from.kind === 'state' ? { tree, revision, endBookmark } : undefined
    return this.#dispatcher.add(options, sink, { after: revision, cursor: this.#history.next, initial })
  }

  /** Reads the past state at `revision`; from the store when the cache doesn't have it. */
  async #readAt<T>(
    revision: Revision,
    signal: AbortSignal | undefined,
    read: (tree: Tree<CacheEntry>) => T | Promise<T>,
    fromStore: () => Promise<T>,
  ): Promise<T> {
    await this.#waits.reach(revision, signal)
    this.#spans?.fresh()
    if (this.#state === 'closed') throw closedError()
    // Read synchronously: after the next event, the current tree may no longer be the one at `revision`.
    const known = this.#state === 'ready' && revision >= this.#dependencies.expiryFloor.floor
    const tree = known ? this.#snapshots.at(revision, this.#tree) : undefined
    return tree ? read(tree) : fromStore()
  }

  async #page(tree: Tree<CacheEntry>, revision: Revision, options: CacheListOptions): Promise<ListResult> {
    const { clock, metrics } = this.#dependencies
    const looksThrough = (tree === this.#tree && this.#indexed(options.predicate)) || tree
    const { result, looked } = await readPage(looksThrough, revision, options, {
      clock,
      sliceMs: this.#options.sliceMs,
    })
    metrics.listed(looked, result.entries.length)
    this.#spans?.filtered(looked, result.entries.length)
    return result
  }

  /** The few current entries that an index leaves for a predicate; undefined: no index does. */
  #indexed(predicate: Predicate | undefined): Tree<CacheEntry> | undefined {
    const equals = predicate?.equals
    return equals && this.#entries.indexed(equals)
  }

  #requireReady(): void {
    if (this.#state === 'closed') throw closedError()
    if (this.#state === 'loading') throw statusErrors.tooManyRequests('storage is (re)initializing', 1)
  }

  #entryOf(value: StoredValue): Entry {
    const known = this.#tree.get(value.key)
    return known?.revision === value.modRevision ? known : this.#newEntry(value, true)
  }

  #newEntry(of: StoredValue, retired = false, position = -1): CacheEntry {
    const { key, value: stored, modRevision: revision, createRevision, unreadable, isAnotherForm = false } = of
    const from = { key, stored, revision, createRevision, unreadable, isStoredOtherwise: isAnotherForm, position }
    return new CacheEntry(this.#home, from, retired)
  }

  #newHistory(floor: Revision): History {
    const { metrics } = this.#dependencies
    const history = new History(floor, this.#options, (direction, capacity) => metrics.capacity(capacity, direction))
    metrics.capacity(history.capacity)
    return history
  }
}

function closedError(): Error {
  return statusErrors.unavailable('the resource is no longer served here')
}
