import { LRUCache } from 'lru-cache'
import type { Clock } from './clock.ts'

/** Keeps values for their time, at most `entriesMax`: beyond, the least recently used are evicted. */
interface TtlCache<Value> {
  get(key: string): Value | undefined
  /** A time of 0 stores nothing. */
  set(key: string, value: Value, ttlMs: number): void
  delete(key: string): void
  readonly size: number
}

interface Entry<Value> {
  readonly value: Value
  /** Exclusive, on the monotonic clock. */
  readonly untilMs: number
}

/** Entries have their own expiry: that of the library costs two more reads of the clock a look-up. */
export function createTtlCache<Value extends object>(clock: Clock, entriesMax: number): TtlCache<Value> {
  // With `max` it would allocate all entries at once, at every start of a server.
  const entries = new LRUCache<string, Entry<Value>>({ maxSize: entriesMax, sizeCalculation: () => 1 })
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      if (clock.monotonicMs() < entry.untilMs) return entry.value
      entries.delete(key)
      return undefined
    },
    set(key, value, ttlMs) {
      if (ttlMs > 0) entries.set(key, { value, untilMs: clock.monotonicMs() + ttlMs })
    },
    delete: (key) => void entries.delete(key),
    get size() {
      return entries.size
    },
  }
}
