import type { Clock } from './clock.ts'
import type { MustRun } from './mustrun.ts'

/** Work without a pause for longer than this should pause. */
const workMs = 5
/** After this many turns, work waits behind all other work: before, long work that began first is done first. */
const turnsInPlace = 500

/** Work that may be paused at each `yield`. */
export type PausableWork<T> = Generator<undefined, T> & MustRun

/** Resolves in another turn of the event loop. */
export function nextTurn(clock: Clock): Promise<void> {
  return new Promise<void>((resolve) => void clock.turn(clock.monotonicMs(), resolve))
}

/** Runs all of the work at once. */
export function runWithoutPauses<T>(work: PausableWork<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/**
 * Lets others run during long work on many small items, such as those of a list:
 * `if (pauses.isDue) await pauses.pause()`. Work on one large object is done in threads instead.
 */
export class Pauses {
  readonly #clock: Clock
  #dueAtMs: number
  #sinceMs: number
  #turns = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.#sinceMs = clock.monotonicMs()
    this.#dueAtMs = this.#sinceMs + workMs
  }

  /** Whether the work has run for some milliseconds without a pause. */
  get isDue(): boolean {
    return this.#clock.monotonicMs() >= this.#dueAtMs
  }

  async pause(): Promise<void> {
    if (++this.#turns % turnsInPlace === 0) this.#sinceMs = this.#clock.monotonicMs()
    await new Promise<void>((resolve) => void this.#clock.turn(this.#sinceMs, resolve))
    this.#dueAtMs = this.#clock.monotonicMs() + workMs
  }

  /** Runs the work with a pause whenever one is due. */
  async run<T>(work: PausableWork<T>): Promise<T> {
    for (;;) {
      const { done, value } = work.next()
      if (done) return value
      if (this.isDue) await this.pause()
    }
  }
}
