import { LRUCache } from 'lru-cache'
import type { Clock } from './clock.ts'

/** Remembers values for their time, and no more than `entriesMax`: beyond, those go that were not asked for longest. */
interface TtlCache<Value> {
  get(key: string): Value | undefined
  /** Nothing is kept for no time. */
  set(key: string, value: Value, ttlMs: number): void
  readonly size: number
}

export function createTtlCache<Value extends object>(clock: Clock, entriesMax: number): TtlCache<Value> {
  const entries = new LRUCache<string, Value>({
    max: entriesMax,
    // Entries have times of their own, which need a time to begin with.
    ttl: 1,
    // Without a resolution there are no timers. A start at 0 would count as none; the end is exclusive.
    ttlResolution: 0,
    perf: { now: () => clock.monotonicMs() + 1 },
  })
  return {
    get: (key) => entries.get(key),
    set(key, value, ttlMs) {
      // Stale is what is older than its time, and not what is as old.
      if (ttlMs > 0) entries.set(key, value, { ttl: Math.max(1, Math.ceil(ttlMs) - 1) })
    },
    get size() {
      return entries.size
    },
  }
}
