import type { Clock, Closable } from './clock.ts'
import { createTree } from './tree.ts'

/** A clock whose time passes as that of another clock, and can be moved forward besides. */
export interface MovableClock extends Clock {
  /** When the earliest timer is due, by the monotonic clock; Infinity without any. */
  readonly nextDueMs: number
  /** Moves the time forward to `untilMs` of the monotonic clock. Due timers run in order, each at its own due time. */
  moveTo(untilMs: number): void
  /** Moves the time at once, as if the machine had been suspended: each due timer runs once, at the new time. */
  jumpTo(untilMs: number): void
}

interface Timer {
  /** Orders timers by their due times, then by the order of their calls. */
  key: string
  dueMs: number
  readonly periodMs: number | undefined
  readonly run: () => void
}

/** The maximum delay of a timer of the machine. */
const delayMsMax = 2 ** 31 - 1
/** Maximum number of timers in one move: some that set each other without a delay would never end. */
const timersAtOnceMax = 1_000_000

/** `startMs`: the time of day at the start, in milliseconds since the epoch. Default: that of the machine. */
export function createMovableClock(machine: Clock, startMs: number = machine.now()): MovableClock {
  const timers = createTree<Timer>()
  const beganMs = machine.monotonicMs()
  let aheadMs = 0
  let sequence = 0
  /** Wakes this clock for its earliest timer. */
  let alarm: { readonly dueMs: number; readonly timer: Closable } | undefined
  let isRunning = false

  const monotonicMs = (): number => machine.monotonicMs() + aheadMs
  const nextDueMs = (): number => timers.slice('', '~', 1)[0]?.dueMs ?? Number.POSITIVE_INFINITY

  function plan(timer: Timer, dueMs: number): void {
    timer.dueMs = dueMs
    timer.key = keyOf(dueMs, sequence++)
    timers.set(timer)
    if (!isRunning) setAlarm()
  }

  function schedule(delayMs: number, periodMs: number | undefined, run: () => void): Closable {
    const timer: Timer = { key: '', dueMs: 0, periodMs, run }
    plan(timer, monotonicMs() + Math.max(0, delayMs))
    return { close: () => void timers.delete(timer.key) }
  }

  function setAlarm(): void {
    const dueMs = nextDueMs()
    if (alarm && alarm.dueMs <= dueMs) return
    void alarm?.timer.close()
    alarm = undefined
    if (dueMs === Number.POSITIVE_INFINITY) return
    const timer = machine.after(Math.min(delayMsMax, Math.max(0, dueMs - monotonicMs())), () => runDue(monotonicMs()))
    alarm = { dueMs, timer }
  }

  /** Runs the timers that are due until then. `reach` is called with the due time of each before it runs, and with the end. */
  function runDue(untilMs: number, reach: (dueMs: number) => void = () => {}): void {
    isRunning = true
    const last = sequence + timersAtOnceMax
    for (const first = (): Timer | undefined => timers.slice('', '~', 1)[0]; sequence < last; ) {
      const timer = first()
      if (!timer || timer.dueMs > untilMs) break
      reach(timer.dueMs)
      timers.delete(timer.key)
      if (timer.periodMs !== undefined) repeat(timer, Math.max(1, timer.periodMs))
      runSafely(timer.run)
    }
    reach(untilMs)
    isRunning = false
    void alarm?.timer.close()
    alarm = undefined
    setAlarm()
  }

  /** Runs that were missed meanwhile are left out. */
  function repeat(timer: Timer, periodMs: number): void {
    const missed = Math.max(0, Math.floor((monotonicMs() - timer.dueMs) / periodMs))
    plan(timer, timer.dueMs + (missed + 1) * periodMs)
  }

  /** Never moves the time back: it passes meanwhile. */
  function reach(atMs: number): void {
    aheadMs = Math.max(aheadMs, atMs - machine.monotonicMs())
  }

  return {
    now: () => Math.floor(startMs + monotonicMs() - beganMs),
    monotonicMs,
    threadCpuMs: () => machine.threadCpuMs(),
    after: (delayMs, run) => schedule(delayMs, undefined, run),
    every: (periodMs, run) => schedule(periodMs, periodMs, run),
    soon: (run) => machine.soon(run),
    turn: (sinceMs, run) => machine.turn(sinceMs, run),
    sleep: (delayMs, signal) => sleep(schedule, delayMs, signal),
    get nextDueMs() {
      return nextDueMs()
    },
    moveTo: (untilMs) => runDue(untilMs, reach),
    jumpTo(untilMs) {
      reach(untilMs)
      runDue(untilMs)
    },
  }
}

function sleep(
  schedule: (delayMs: number, periodMs: undefined, run: () => void) => Closable,
  delayMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = schedule(delayMs, undefined, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    const abort = (): void => {
      void timer.close()
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** Microseconds, in a width that holds ten thousand years. */
function keyOf(dueMs: number, sequence: number): string {
  return `${Math.floor(dueMs * 1000)
    .toString()
    .padStart(18, '0')}/${sequence.toString().padStart(12, '0')}`
}

/** An error of one timer is an uncaught exception, as of a timer of the machine, and the others run. */
function runSafely(run: () => void): void {
  try {
    run()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
