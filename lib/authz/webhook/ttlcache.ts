import type { Clock } from '../../base/index.ts'

/** Remembers values for their time, and no more than `entriesMax`: beyond, those go that were not asked for longest. */
export interface TtlCache<Value> {
  get(key: string): Value | undefined
  /** Nothing is kept for no time. */
  set(key: string, value: Value, ttlMs: number): void
  readonly size: number
}

export function createTtlCache<Value>(clock: Clock, entriesMax: number): TtlCache<Value> {
  const entries = new Map<string, { value: Value; untilMs: number }>()
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      if (entry.untilMs <= clock.monotonicMs()) return undefined
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, ttlMs) {
      if (ttlMs <= 0) return
      entries.delete(key)
      entries.set(key, { value, untilMs: clock.monotonicMs() + ttlMs })
      for (const oldest of entries.keys()) {
        if (entries.size <= entriesMax) break
        entries.delete(oldest)
      }
    },
    get size() {
      return entries.size
    },
  }
}
