import type { Closable } from './clock.ts'

interface Waiting {
  readonly sinceMs: number
  readonly run: () => void
}

/**
 * Turns of the event loop for long work. One turn runs between two rounds of I/O and timers, whichever work it belongs
 * to: fifty large requests hold the loop no longer at a time than one does. The work that began first is first: most
 * requests only hold their body in memory while they wait.
 */
export class TurnQueue {
  readonly #soon: (run: () => void) => void
  /** Ascending by `sinceMs`; among equals in the order of their calls. */
  readonly #waiting: Waiting[] = []
  #isScheduled = false

  /** `soon` calls its argument after the next round of I/O. */
  constructor(soon: (run: () => void) => void) {
    this.#soon = soon
  }

  /** Calls `run` in its own turn; `sinceMs` is when its work began. */
  take(sinceMs: number, run: () => void): Closable {
    const one = { sinceMs, run }
    const waiting = this.#waiting
    let at = waiting.length
    while (at > 0 && (waiting[at - 1]?.sinceMs ?? 0) > sinceMs) at--
    waiting.splice(at, 0, one)
    this.#schedule()
    return {
      close: () => {
        const index = waiting.indexOf(one)
        if (index >= 0) waiting.splice(index, 1)
      },
    }
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0) return
    this.#isScheduled = true
    this.#soon(() => {
      this.#isScheduled = false
      const next = this.#waiting.shift()
      this.#schedule()
      next?.run()
    })
  }
}
