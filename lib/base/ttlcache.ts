import { LRUCache } from 'lru-cache'
import type { Clock } from './clock.ts'

/** Remembers values for their time, and no more than `entriesMax`: beyond, those go that were not asked for longest. */
interface TtlCache<Value> {
  get(key: string): Value | undefined
  /** Nothing is kept for no time. */
  set(key: string, value: Value, ttlMs: number): void
  delete(key: string): void
  readonly size: number
}

interface Entry<Value> {
  readonly value: Value
  /** Exclusive, on the monotonic clock. */
  readonly untilMs: number
}

/** Entries keep their own ends: those of the library cost two more readings of the clock a look-up. */
export function createTtlCache<Value extends object>(clock: Clock, entriesMax: number): TtlCache<Value> {
  // With `max` it would take room for all of them at once, at every start of a server.
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
