import { type Clock, type Closable, TurnQueue } from '../../lib/base/index.ts'

interface Timer {
  dueMs: number
  sequence: number
  readonly delayMs: number
  readonly isPeriodic: boolean
  readonly isTick: boolean
  isClosed: boolean
  readonly run: () => void
}

/** A clock of a simulation: it goes from one timer to the next, as fast as the machine can. */
export interface SimClock extends Clock {
  /**
   * Moves on to the next timer that is due by `limitMs` (by the monotonic clock) and runs it. False: none is, and it is
   * `limitMs` now.
   */
  step(limitMs: number): boolean
  /** Begins again at the given time of day: every timer that waits has its whole wait before it again. */
  restart(wallMs: number): void
  /** The same clock for a program whose periodic work may be seldom: no more often than once a minute. */
  readonly coarse: Clock
}

const tickMs = 60_000
/** The server waits so many times longer where it would wait as long as a tick. */
const stretch = 10

/** Timers that are due at once run in the order in which they were asked for. */
export function createSimClock(startMs: number): SimClock {
  const timers: Timer[] = []
  let nowMs = 0
  let wallOffsetMs = startMs
  let sequence = 0

  function isBefore(left: Timer, right: Timer): boolean {
    return left.dueMs < right.dueMs || (left.dueMs === right.dueMs && left.sequence < right.sequence)
  }

  function push(timer: Timer): void {
    let index = timers.push(timer) - 1
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = timers[above] as Timer
      if (!isBefore(timer, parent)) break
      timers[index] = parent
      index = above
    }
    timers[index] = timer
  }

  function pop(): Timer | undefined {
    const first = timers[0]
    const last = timers.pop()
    if (!first || !last || timers.length === 0) return first
    let index = 0
    for (;;) {
      let below = 2 * index + 1
      if (below >= timers.length) break
      if (below + 1 < timers.length && isBefore(timers[below + 1] as Timer, timers[below] as Timer)) below++
      if (!isBefore(timers[below] as Timer, last)) break
      timers[index] = timers[below] as Timer
      index = below
    }
    timers[index] = last
    return first
  }

  function schedule(delayMs: number, isPeriodic: boolean, isTick: boolean, run: () => void): Closable {
    const wait = Math.max(0, delayMs)
    const dueMs = nowMs + wait
    const timer: Timer = { dueMs, sequence: sequence++, delayMs: wait, isPeriodic, isTick, isClosed: false, run }
    push(timer)
    return { close: () => void (timer.isClosed = true) }
  }

  /** The next open timer, still in its place. */
  function peek(): Timer | undefined {
    for (let first = timers[0]; first; first = timers[0]) {
      if (!first.isClosed) return first
      pop()
    }
    return undefined
  }

  function fire(): boolean {
    const timer = pop() as Timer
    nowMs = Math.max(nowMs, timer.dueMs)
    if (timer.isPeriodic) {
      timer.dueMs += timer.delayMs
      timer.sequence = sequence++
      push(timer)
    }
    timer.run()
    return timer.isTick
  }

  const turns = new TurnQueue((run) => void schedule(0, false, false, run))
  const clock: Clock = {
    now: () => Math.floor(wallOffsetMs + nowMs),
    monotonicMs: () => nowMs,
    threadCpuMs: () => nowMs,
    after: (delayMs, run) => schedule(delayMs, false, false, run),
    soon: (run) => schedule(0, false, false, run),
    turn: (sinceMs, run) => turns.take(sinceMs, run),
    every: (periodMs, run) => schedule(periodMs, true, false, run),
    sleep: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error)
        const timer = schedule(delayMs, false, false, () => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        })
        const onAbort = (): void => {
          void timer.close()
          reject(signal?.reason as Error)
        }
        signal?.addEventListener('abort', onAbort, { once: true })
      }),
  }

  return {
    ...clock,
    coarse: {
      ...clock,
      every: (periodMs, run) => schedule(Math.max(tickMs, periodMs), true, true, run),
      after: (delayMs, run) => clock.after(delayMs < tickMs ? delayMs : delayMs * stretch, run),
    },
    step(limitMs) {
      const first = peek()
      if (!first || first.dueMs > limitMs) {
        nowMs = Math.max(nowMs, limitMs)
        return false
      }
      // Ticks of one instant have nothing to do with each other.
      for (let wasTick = fire(); wasTick; wasTick = fire()) {
        const next = peek()
        if (!next?.isTick || next.dueMs > nowMs) break
      }
      return true
    },
    restart(wallMs) {
      wallOffsetMs = wallMs - nowMs
      const waiting = timers.splice(0).filter(({ isClosed }) => !isClosed)
      waiting.sort((left, right) => left.sequence - right.sequence)
      for (const timer of waiting) {
        timer.dueMs = nowMs + timer.delayMs
        timer.sequence = sequence++
        push(timer)
      }
    },
  }
}
