import { nextTick } from 'node:process'
import type { Clock } from '../base/index.ts'

/** The measurement of one turn. */
export interface MeasuredTurn {
  /** The longest CPU time for which it held the event loop without a break. */
  longestMs: number
}

/**
 * Lets turns continue one at a time, each until all the work that it scheduled has run, and measures how long that
 * holds the event loop. The work of a server in the same process counts for the turn that requested it; the work of
 * other turns does not.
 */
export interface TurnMeter {
  /** Resolves when the turn may start, or continue with an answer. */
  goOn(turn: MeasuredTurn): Promise<void>
  /** The turn waits for an answer, or has ended. */
  leave(turn: MeasuredTurn): void
}

/** How long turns may hold the event loop together before timers and I/O are served. */
const sliceMs = 5

export function createTurnMeter(clock: Clock): TurnMeter {
  const waiting: { readonly turn: MeasuredTurn; readonly goOn: () => void }[] = []
  let current: { readonly turn: MeasuredTurn; readonly sinceCpuMs: number } | undefined
  let isBusy = false
  let sliceFromMs = 0

  function close(): void {
    if (!current) return
    const { turn, sinceCpuMs } = current
    current = undefined
    turn.longestMs = Math.max(turn.longestMs, clock.threadCpuMs() - sinceCpuMs)
  }

  function newSlice(): void {
    sliceFromMs = clock.monotonicMs()
    next()
  }

  function next(): void {
    close()
    if (waiting.length > 0 && clock.monotonicMs() - sliceFromMs > sliceMs) {
      clock.soon(newSlice)
      return
    }
    const first = waiting.shift()
    isBusy = first !== undefined
    if (!first) return
    current = { turn: first.turn, sinceCpuMs: clock.threadCpuMs() }
    first.goOn()
    // A tick that a microtask schedules runs after all microtasks, and before timers and I/O.
    queueMicrotask(() => nextTick(next))
  }

  return {
    goOn: (turn) =>
      new Promise((goOn) => {
        waiting.push({ turn, goOn })
        if (isBusy) return
        isBusy = true
        nextTick(newSlice)
      }),
    leave(turn) {
      if (current?.turn === turn) close()
    },
  }
}
