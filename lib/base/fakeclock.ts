import type { Clock, Closable } from './clock.ts'
import { TurnQueue } from './turnqueue.ts'

interface Pending {
  dueMs: number
  sequence: number
  periodMs: number | undefined
  run: () => void
}

/** A clock that only moves by `advance`. */
export interface FakeClock extends Clock {
  /** Advances the time, and runs due timers in the order of their due times. */
  advance(ms: number): void
}

/** Starts at `startMs` (milliseconds since the epoch). */
export function createFakeClock(startMs = 0): FakeClock {
  let nowMs = startMs
  let sequence = 0
  const pending = new Set<Pending>()

  function schedule(delayMs: number, periodMs: number | undefined, run: () => void): Closable {
    const entry: Pending = { dueMs: nowMs + Math.max(0, delayMs), sequence: sequence++, periodMs, run }
    pending.add(entry)
    return { close: () => void pending.delete(entry) }
  }

  function earliest(limitMs: number): Pending | undefined {
    let first: Pending | undefined
    for (const entry of pending) {
      if (entry.dueMs > limitMs) continue
      if (!first || entry.dueMs < first.dueMs || (entry.dueMs === first.dueMs && entry.sequence < first.sequence))
        first = entry
    }
    return first
  }

  const turns = new TurnQueue((run) => void schedule(0, undefined, run))

  return {
    now: () => nowMs,
    monotonicMs: () => nowMs - startMs,
    threadCpuMs: () => nowMs - startMs,
    after: (delayMs, run) => schedule(delayMs, undefined, run),
    soon: (run) => schedule(0, undefined, run),
    turn: (sinceMs, run) => turns.take(sinceMs, run),
    every: (periodMs, run) => schedule(periodMs, periodMs, run),
    sleep: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const timer = schedule(delayMs, undefined, () => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        })
        const onAbort = (): void => {
          void timer.close()
          reject(signal?.reason)
        }
        signal?.addEventListener('abort', onAbort, { once: true })
      }),
    advance(ms) {
      const limitMs = nowMs + ms
      for (let entry = earliest(limitMs); entry; entry = earliest(limitMs)) {
        nowMs = entry.dueMs
        if (entry.periodMs === undefined) pending.delete(entry)
        else entry.dueMs += entry.periodMs
        entry.run()
      }
      nowMs = limitMs
    },
  }
}
