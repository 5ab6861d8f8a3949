import { assert, type Clock, type Tree } from '../../base/index.ts'
import { type Revision, StatusError, statusErrors } from '../../object/index.ts'
import type { CacheWatch, CacheWatchEvent, CacheWatchSink, WatchEnd } from '../contract.ts'
import { bookmarkEvent, errorEvent, initialEvent } from '../state/cacheevent.ts'
import type { CacheEntry } from '../state/entry.ts'
import type { History } from '../state/history.ts'
import type { WatcherGroup } from './watchergroup.ts'

/** The rest of an initial state that is still to be sent. */
export interface InitialState {
  readonly tree: Tree<CacheEntry>
  readonly revision: Revision
  readonly endBookmark: boolean
}

/** Limits of one batch for a watcher. */
interface BatchLimits {
  readonly batchEventsMax: number
  readonly batchBytesMax: number
}

/** Keys that are examined in one slice, for each event that a batch may hold. */
const scanFactor = 8

/**
 * One watch, in one of these phases:
 * - `initial`: reads its initial state, page by page.
 * - `behind`: reads history from `cursor` on, at its own pace. A watcher is in this phase when it
 *   begins at a past revision, has read its initial state, or has stalled; it has no queue that could grow.
 * - `live`: has seen everything that was routed, and gets each batch of its group.
 */
export class Watcher {
  readonly group: WatcherGroup
  readonly sink: CacheWatchSink
  /** Events up to this revision are skipped. */
  readonly after: Revision
  phase: 'initial' | 'behind' | 'live' | 'closed' = 'behind'
  /** Sequence of the next change to read while not live. */
  cursor: number
  /** Since when the sink refuses events; undefined while it accepts them. */
  stalledSinceMs: number | undefined = undefined
  /** When the next bookmark is due, and when the last one. */
  bookmarkDueMs = Number.POSITIVE_INFINITY
  bookmarkLastMs = Number.POSITIVE_INFINITY
  /** Removes the listener of the signal that ends the watch. */
  unbind: (() => void) | undefined = undefined
  #initial: InitialState | undefined
  #nextKey: string

  constructor(
    group: WatcherGroup,
    sink: CacheWatchSink,
    begin: { readonly after: Revision; readonly cursor: number; readonly initial: InitialState | undefined },
  ) {
    this.group = group
    this.sink = sink
    this.after = begin.after
    this.cursor = begin.cursor
    this.#initial = begin.initial
    this.#nextKey = group.start
    if (begin.initial) this.phase = 'initial'
  }

  /**
   * The next page of the initial state; after the last one the watcher reads history. Throws when an object can't be
   * read.
   */
  readInitial({ batchEventsMax, batchBytesMax }: BatchLimits): CacheWatchEvent[] {
    const initial = this.#initial
    assert(initial && this.phase === 'initial', 'watcher: no initial state left')
    const { predicate, end } = this.group
    const events: CacheWatchEvent[] = []
    let bytes = 0
    let looked = 0
    let stopped = false
    initial.tree.visit(this.#nextKey, end, (entry) => {
      if (!predicate || predicate.matches(entry)) {
        events.push(initialEvent(entry))
        bytes += entry.storedBytes
      }
      this.#nextKey = `${entry.key}\0`
      looked++
      stopped = events.length >= batchEventsMax || bytes >= batchBytesMax || looked >= batchEventsMax * scanFactor
      return !stopped
    })
    if (stopped) return events
    if (initial.endBookmark) events.push(bookmarkEvent(initial.revision, true))
    this.#initial = undefined
    this.phase = 'behind'
    this.sink.onBegun?.()
    return events
  }

  /**
   * The next events from history, up to the sequence `until`. Undefined: history has dropped changes that the watcher
   * needs.
   */
  readHistory(
    history: History,
    until: number,
    { batchEventsMax, batchBytesMax }: BatchLimits,
  ): CacheWatchEvent[] | undefined {
    if (this.cursor < history.first) return undefined
    const events: CacheWatchEvent[] = []
    let bytes = 0
    const stop = Math.min(until, this.cursor + batchEventsMax * scanFactor)
    while (this.cursor < stop && events.length < batchEventsMax && bytes < batchBytesMax) {
      const change = history.at(this.cursor++)
      if (change.revision <= this.after || !this.group.covers(change.key)) continue
      const event = change.seenThrough(this.group.predicate)
      if (!event) continue
      events.push(event)
      bytes += change.storedBytes
    }
    return events
  }

  /** Delivers events; the first refusal stalls the watcher. */
  deliver(events: readonly CacheWatchEvent[], nowMs: () => number): void {
    if (!this.sink.onEvents(events) && this.phase !== 'closed') this.stalledSinceMs ??= nowMs()
  }

  /** The events of a group's batch that this watcher may see. */
  own(batch: readonly CacheWatchEvent[]): readonly CacheWatchEvent[] {
    const [first] = batch
    if (!first || first.revision > this.after) return batch
    return batch.filter((event) => event.revision > this.after)
  }

  end(end: WatchEnd, error?: unknown): void {
    if (this.phase === 'closed') return
    this.phase = 'closed'
    this.#initial = undefined
    if (end === 'error') tellError(this.sink, asStatus(error))
    this.sink.onEnd(end)
  }
}

/** Sends an error event; a sink that throws then gets only the end. */
function tellError(sink: CacheWatchSink, error: StatusError): void {
  try {
    sink.onEvents([errorEvent(error)])
  } catch {
    // The watch ends in either case.
  }
}

function asStatus(error: unknown): StatusError {
  if (error instanceof StatusError) return error
  return statusErrors.internal(error instanceof Error ? error.message : String(error), error)
}

/** A watch that can't begin, as changes after `requested` are dropped: it gets an error and ends. */
export function beginTooOld(
  clock: Clock,
  { sink, signal }: { readonly sink: CacheWatchSink; readonly signal?: AbortSignal },
  requested: Revision,
  oldest: Revision,
): CacheWatch {
  let ended = false
  const end = (how: WatchEnd): void => {
    if (ended) return
    ended = true
    if (how === 'error') tellError(sink, statusErrors.expired(`too old resource version: ${requested} (${oldest})`))
    sink.onEnd(how)
  }
  clock.soon(() => end(signal?.aborted ? 'closed' : 'error'))
  return { resume() {}, close: () => end('closed') }
}
