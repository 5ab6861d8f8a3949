import type { CacheWatchEvent, Predicate } from '../contract.ts'
import type { CacheEvent } from '../state/cacheevent.ts'
import type { Watcher } from './watcher.ts'

/** The watchers that see the same events: one key range, one predicate. Each event is matched once for all of them. */
export class WatcherGroup {
  readonly id: string
  readonly start: string
  readonly end: string
  readonly predicate: Predicate | undefined
  readonly watchers = new Set<Watcher>()
  /** Events to be delivered to `targets` (the watchers that were live when they were routed) from `position` on. */
  batch: CacheWatchEvent[] = []
  targets: Watcher[] = []
  position = 0
  /** The error of a predicate that could not read an object: the group's watchers end. */
  failure: unknown = undefined

  constructor(start: string, end: string, predicate: Predicate | undefined) {
    this.id = WatcherGroup.idOf(start, end, predicate)
    this.start = start
    this.end = end
    this.predicate = predicate
  }

  static idOf(start: string, end: string, predicate: Predicate | undefined): string {
    return `${start}\0${end}\0${predicate ? `=${predicate.key}` : ''}`
  }

  covers(key: string): boolean {
    return key >= this.start && key < this.end
  }

  /** The batch has been delivered. Watchers that could not take it all have ended; later watchers don't get it. */
  finish(): void {
    this.batch = []
    this.targets = []
    this.position = 0
    this.failure = undefined
  }

  /** True when this is the first event of a batch. */
  offer(change: CacheEvent): boolean {
    if (this.failure !== undefined) return false
    try {
      const event = change.seenThrough(this.predicate)
      if (!event) return false
      return this.batch.push(event) === 1
    } catch (error) {
      this.failure = error
      return this.batch.length === 0
    }
  }
}
