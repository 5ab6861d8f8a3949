import { assert, type Clock } from '../../base/index.ts'
import { noRevision, type Revision } from '../../object/index.ts'
import type { CacheWatch, CacheWatchEvent, CacheWatchOptions, CacheWatchSink, WatchEnd } from '../contract.ts'
import type { CacheOptions } from '../options.ts'
import { bookmarkEvent } from '../state/cacheevent.ts'
import type { History } from '../state/history.ts'
import { Scopes } from './scopes.ts'
import type { Ticker, Worker } from './ticker.ts'
import { type InitialState, Watcher } from './watcher.ts'
import type { WatcherGroup } from './watchergroup.ts'

interface WatchDispatcherDependencies {
  readonly clock: Clock
  readonly ticker: Ticker
  /** The state that the cache shows. */
  revision(): Revision
  /** Counts dispatched changes. */
  dispatched(changes: number): void
  begun(events: number): void
  terminated(): void
}

type WatchDispatcherOptions = Pick<
  CacheOptions,
  'batchEventsMax' | 'batchBytesMax' | 'stallMsMax' | 'bookmarkPeriodMs' | 'bookmarkBeforeEndMs' | 'watchersMax'
>

/** Deliveries between two reads of the clock. */
const deliveriesPerLook = 8
/** Spreads bookmarks evenly over a fifth of the period, whatever the number of watchers (the golden ratio's fraction). */
const bookmarkSpread = 0.2
const goldenFraction = 0.618_033_988_75

/**
 * The watchers of one resource. Changes are routed from history to groups in rounds: all batches of one round are
 * delivered before the next is routed. Hence a live watcher has seen every change before `#routed`, except for the
 * batch of its group that is being delivered.
 */
export class WatchDispatcher implements Worker {
  readonly #dependencies: WatchDispatcherDependencies
  readonly #options: WatchDispatcherOptions
  readonly #scopes: Scopes
  #history: History
  /** Sequence of the next change to route. */
  #routed: number
  /** Groups with a batch to deliver, from `#job` on. */
  #jobs: WatcherGroup[] = []
  #job = 0
  readonly #watchers = new Set<Watcher>()
  /** Watchers that are not live and accept events. */
  readonly #readers = new Set<Watcher>()
  #made = 0

  constructor(
    prefix: string,
    history: History,
    dependencies: WatchDispatcherDependencies,
    options: WatchDispatcherOptions,
  ) {
    this.#dependencies = dependencies
    this.#options = options
    this.#scopes = new Scopes(prefix)
    this.#history = history
    this.#routed = history.next
  }

  get size(): number {
    return this.#watchers.size
  }

  get full(): boolean {
    return this.#watchers.size >= this.#options.watchersMax
  }

  /**
   * Adds a watcher that gets the changes from the sequence `cursor` on, except those at or below the revision `after`.
   */
  add(
    options: CacheWatchOptions,
    sink: CacheWatchSink,
    begin: { after: Revision; cursor: number; initial: InitialState | undefined },
  ): CacheWatch {
    const group = this.#scopes.open(options.start, options.end, options.predicate)
    const watcher = new Watcher(group, sink, begin)
    this.#watchers.add(watcher)
    group.watchers.add(watcher)
    if (options.bookmarks) this.#scheduleBookmarks(watcher, options.timeoutMs)
    if (options.signal) this.#bind(watcher, options.signal)
    this.#readers.add(watcher)
    this.#dependencies.ticker.want(this)
    return {
      resume: () => this.#resume(watcher),
      close: () => this.#end(watcher, 'closed'),
    }
  }

  /** History has new changes. */
  publish(): void {
    if (this.#watchers.size === 0) this.#routed = this.#history.next
    else this.#dependencies.ticker.want(this)
  }

  work(expired: () => boolean): boolean {
    do {
      if (this.#delivering) this.#deliverSome(expired)
      else if (this.#routed < this.#history.next) this.#route(expired)
      else if (this.#readers.size === 0) return false
      this.#readOne()
    } while (!expired())
    return this.#delivering || this.#routed < this.#history.next || this.#readers.size > 0
  }

  /** Called once a second: sends due bookmarks and ends watchers that have stalled for too long. */
  second(): void {
    const nowMs = this.#dependencies.clock.monotonicMs()
    for (const watcher of this.#watchers) {
      if (watcher.stalledSinceMs !== undefined) {
        const forgotten = watcher.phase === 'behind' && watcher.cursor < this.#history.first
        if (forgotten || nowMs - watcher.stalledSinceMs >= this.#options.stallMsMax) this.#endSlow(watcher)
      } else if (nowMs >= watcher.bookmarkDueMs) this.#bookmark(watcher, nowMs)
    }
  }

  /** Ends all watches; later ones read `history`. */
  reset(history: History, end: WatchEnd, error?: unknown): void {
    for (const watcher of this.#watchers) this.#end(watcher, end, error)
    this.#jobs = []
    this.#job = 0
    this.#history = history
    this.#routed = history.next
  }

  // Routing and delivery

  get #delivering(): boolean {
    return this.#jobs.length > 0
  }

  #route(expired: () => boolean): void {
    if (this.#routed < this.#history.first) {
      this.#loseAll()
      return
    }
    const from = this.#routed
    const until = Math.min(this.#history.next, from + this.#options.batchEventsMax)
    // A round ends between revisions: a bookmark within one would promise events that are not sent yet.
    let bytes = 0
    while ((this.#routed < until && bytes < this.#options.batchBytesMax) || this.#amidRevision(this.#routed)) {
      const change = this.#history.at(this.#routed++)
      bytes += change.storedBytes
      this.#scopes.visit(change, (group) => {
        if (group.offer(change)) this.#jobs.push(group)
      })
      if (expired() && !this.#amidRevision(this.#routed)) break
    }
    for (const group of this.#jobs) {
      group.targets = [...group.watchers].filter((watcher) => watcher.phase === 'live')
      group.position = 0
    }
    this.#dependencies.dispatched(this.#routed - from)
  }

  /** One transaction made the changes before and at `sequence`. */
  #amidRevision(sequence: number): boolean {
    const { first, next } = this.#history
    if (sequence <= first || sequence >= next) return false
    return this.#history.at(sequence).revision === this.#history.at(sequence - 1).revision
  }

  /** Delivery is slower than the changes: history dropped changes before they were routed. */
  #loseAll(): void {
    this.#routed = this.#history.next
    for (const watcher of this.#watchers) if (watcher.phase === 'live') this.#endSlow(watcher)
  }

  #deliverSome(expired: () => boolean): void {
    let untilLook = deliveriesPerLook
    for (let group = this.#jobs[this.#job]; group; group = this.#jobs[++this.#job]) {
      while (group.position < group.targets.length) {
        const watcher = group.targets[group.position++]
        if (watcher?.phase === 'live') this.#deliverBatch(watcher, group)
        if (--untilLook > 0) continue
        if (expired()) return
        untilLook = deliveriesPerLook
      }
      group.finish()
    }
    this.#jobs = []
    this.#job = 0
  }

  #deliverBatch(watcher: Watcher, group: WatcherGroup): void {
    const events = watcher.own(group.batch)
    if (events.length > 0) this.#deliver(watcher, events)
    if (group.failure !== undefined) this.#end(watcher, 'error', group.failure)
    // The watcher has seen this batch, the last that was routed.
    else if (watcher.stalledSinceMs !== undefined && watcher.phase === 'live') this.#fallBehind(watcher)
  }

  /** A sink that throws, as for an object that can't be encoded, ends only its own watch. */
  #deliver(watcher: Watcher, events: readonly CacheWatchEvent[]): void {
    try {
      watcher.deliver(events, () => this.#dependencies.clock.monotonicMs())
    } catch (error) {
      this.#end(watcher, 'error', error)
    }
  }

  #fallBehind(watcher: Watcher): void {
    watcher.phase = 'behind'
    watcher.cursor = this.#routed
  }

  // Watchers that read history

  #readOne(): void {
    for (const watcher of this.#readers) {
      this.#readers.delete(watcher)
      if (this.#read(watcher)) this.#readers.add(watcher)
      return
    }
  }

  #readInitial(watcher: Watcher): CacheWatchEvent[] {
    const events = watcher.readInitial(this.#options)
    const bookmarks = events.at(-1)?.initialEventsEnd === true ? 1 : 0
    if (events.length > bookmarks) this.#dependencies.begun(events.length - bookmarks)
    return events
  }

  /** One slice; true when the watcher needs another one. */
  #read(watcher: Watcher): boolean {
    let events: CacheWatchEvent[] | undefined
    try {
      events =
        watcher.phase === 'initial'
          ? this.#readInitial(watcher)
          : watcher.readHistory(this.#history, this.#routed, this.#options)
    } catch (error) {
      this.#end(watcher, 'error', error)
      return false
    }
    if (!events) {
      this.#endSlow(watcher)
      return false
    }
    if (events.length > 0) this.#deliver(watcher, events)
    if (watcher.phase === 'closed' || watcher.stalledSinceMs !== undefined) return false
    if (watcher.phase === 'initial' || watcher.cursor < this.#routed) return true
    this.#goLive(watcher)
    return false
  }

  /**
   * The watcher has read everything that is routed, so a batch that is still being delivered is not for it (but for
   * watchers that were live when it was routed). It may even be ahead, when it began at a state whose changes are not
   * routed yet; `after` filters those.
   */
  #goLive(watcher: Watcher): void {
    assert(watcher.cursor >= this.#routed, 'dispatcher: a live watcher has seen all that was routed')
    watcher.phase = 'live'
  }

  #resume(watcher: Watcher): void {
    if (watcher.phase === 'closed' || watcher.stalledSinceMs === undefined) return
    watcher.stalledSinceMs = undefined
    this.#readers.add(watcher)
    this.#dependencies.ticker.want(this)
  }

  // Bookmarks and ends

  #scheduleBookmarks(watcher: Watcher, timeoutMs: number | undefined): void {
    const nowMs = this.#dependencies.clock.monotonicMs()
    const early = bookmarkSpread * ((this.#made++ * goldenFraction) % 1)
    watcher.bookmarkDueMs = nowMs + this.#options.bookmarkPeriodMs * (1 - early)
    if (timeoutMs !== undefined && timeoutMs > this.#options.bookmarkBeforeEndMs)
      watcher.bookmarkLastMs = nowMs + timeoutMs - this.#options.bookmarkBeforeEndMs
    watcher.bookmarkDueMs = Math.min(watcher.bookmarkDueMs, watcher.bookmarkLastMs)
  }

  #bookmark(watcher: Watcher, nowMs: number): void {
    const revision = this.#shown()
    // Pending events come first; the next second tries again.
    if (watcher.phase !== 'live' || this.#delivering || revision < watcher.after) return
    const last = watcher.bookmarkLastMs
    watcher.bookmarkDueMs = nowMs + this.#options.bookmarkPeriodMs
    if (nowMs < last) watcher.bookmarkDueMs = Math.min(watcher.bookmarkDueMs, last)
    this.#deliver(watcher, [bookmarkEvent(revision)])
    if (watcher.stalledSinceMs !== undefined && watcher.phase === 'live') this.#fallBehind(watcher)
  }

  /** The revision up to which everything has been routed. */
  #shown(): Revision {
    if (this.#routed === this.#history.next) return this.#dependencies.revision()
    return this.#routed > this.#history.first ? this.#history.at(this.#routed - 1).revision : noRevision
  }

  /** A signal that outlives many watches must not keep listeners of them all. */
  #bind(watcher: Watcher, signal: AbortSignal): void {
    const onAbort = (): void => this.#end(watcher, 'closed')
    signal.addEventListener('abort', onAbort)
    watcher.unbind = () => signal.removeEventListener('abort', onAbort)
  }

  #endSlow(watcher: Watcher): void {
    this.#dependencies.terminated()
    this.#end(watcher, 'slow')
  }

  #end(watcher: Watcher, end: WatchEnd, error?: unknown): void {
    if (!this.#watchers.delete(watcher)) return
    this.#readers.delete(watcher)
    const { group } = watcher
    group.watchers.delete(watcher)
    if (group.watchers.size === 0) this.#scopes.close(group)
    watcher.unbind?.()
    watcher.end(end, error)
  }
}
