import type { Clock, Closable } from '../clock.ts'

/** Replaced values that requests in flight may still use for a while. */
export interface Retirement<Value> {
  later(value: Value): void
  now(value: Value): Promise<void>
  /** Retires the values that are still waiting. */
  close(): Promise<void>
}

/** `retire` never rejects. */
export function createRetirement<Value>(
  clock: Clock,
  retire: (value: Value) => Promise<void>,
  afterMs: number,
): Retirement<Value> {
  const waiting = new Map<Closable, Value>()
  return {
    later(value) {
      if (afterMs === 0) return void retire(value)
      const timer = clock.after(afterMs, () => {
        waiting.delete(timer)
        void retire(value)
      })
      waiting.set(timer, value)
    },
    now: retire,
    async close() {
      for (const [timer, value] of waiting) {
        await timer.close()
        await retire(value)
      }
      waiting.clear()
    },
  }
}
