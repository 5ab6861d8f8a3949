import { TurnQueue } from './turnqueue.ts'

/** Work in progress that can be stopped. `close` is idempotent. */
export interface Closable {
  close(): void | Promise<void>
}

/** Time as a dependency, so that tests can control it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds from an arbitrary start, never decreasing; may have fractions. */
  monotonicMs(): number
  /** Milliseconds of CPU that this thread has used: unlike other time it does not pass while other processes run. */
  threadCpuMs(): number
  /** Calls `run` once after `delayMs`. */
  after(delayMs: number, run: () => void): Closable
  /** Calls `run` every `periodMs` until closed. */
  every(periodMs: number, run: () => void): Closable
  /** Calls `run` once, as soon as pending I/O and timers have been served. */
  soon(run: () => void): Closable
  /**
   * As `soon`, but never in the same round as another turn; of those that wait, the one with the earliest `sinceMs` is
   * first.
   */
  turn(sinceMs: number, run: () => void): Closable
  /** Resolves after `delayMs`; rejects with the signal's reason when it aborts first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>
}

/** A process has one event loop, whose turns all its clocks share. */
const systemTurns = new TurnQueue(setImmediate)

/** The machine's clock. Its timers don't keep the process alive (its servers and signals do). */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  threadCpuMs() {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  },
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    timer.unref()
    return { close: () => clearTimeout(timer) }
  },
  every(periodMs, run) {
    const timer = setInterval(run, periodMs)
    timer.unref()
    return { close: () => clearInterval(timer) }
  },
  soon(run) {
    const immediate = setImmediate(run)
    return { close: () => clearImmediate(immediate) }
  },
  turn: (sinceMs, run) => systemTurns.take(sinceMs, run),
  async sleep(delayMs, signal) {
    const { setTimeout: sleepFor } = process.getBuiltinModule('node:timers/promises')
    await sleepFor(delayMs, undefined, signal ? { signal } : undefined)
  },
}
