import type { Clock } from './clock.ts'
import type { MustRun } from './mustrun.ts'

/** Work on a smaller object takes a few milliseconds altogether. */
export const largeBytesMin = 64 * 1024
/** Work that goes on for longer is late for a pause. */
const sliceMs = 5
/** Work that has had so many turns goes behind all that waits. The largest bodies take fewer: one is done before the next begins. */
const turnsInPlace = 500

/** Work that may be paused at each `yield`, between slices that each take a bounded time. */
export type Slices<T> = Generator<undefined, T> & MustRun

/** Resolves in a turn of its own: what large work awaits between two slices. */
export function nextTurn(clock: Clock): Promise<void> {
  return new Promise<void>((resolve) => void clock.turn(clock.monotonicMs(), resolve))
}

/** Runs all slices at once. */
export function runSlices<T>(slices: Slices<T>): T {
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
  }
}

/**
 * Lets others run between two steps of one request's work: `if (breather.isLarge) await breather.pause()`. Small objects
 * pay for the question only.
 */
export class Breather {
  readonly #clock: Clock
  #isLarge = false
  #untilMs: number
  #sinceMs: number
  #turns = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.#sinceMs = clock.monotonicMs()
    this.#untilMs = this.#sinceMs + sliceMs
  }
  get isLarge(): boolean {
    return this.#isLarge
  }
  /** Whether the work has gone on for some milliseconds without a pause. */
  get isLate(): boolean {
    return this.#clock.monotonicMs() >= this.#untilMs
  }
  /** Tells the size of something that the work is about. */
  note(bytes: number): void {
    if (bytes >= largeBytesMin) this.#isLarge = true
  }
  async pause(): Promise<void> {
    if (++this.#turns % turnsInPlace === 0) this.#sinceMs = this.#clock.monotonicMs()
    await new Promise<void>((resolve) => void this.#clock.turn(this.#sinceMs, resolve))
    this.#untilMs = this.#clock.monotonicMs() + sliceMs
  }
  /** Runs the slices at once where the object is small, else with a pause after each. */
  run<T>(slices: Slices<T>): T | Promise<T> {
    return this.#isLarge ? this.#runLarge(slices) : runSlices(slices)
  }
  /** Runs the slices with a pause after each, whatever the size of the object. */
  async runWithPauses<T>(slices: Slices<T>): Promise<T> {
    for (;;) {
      const { done, value } = slices.next()
      if (done) return value
      await this.pause()
    }
  }
  /** Runs the slices with a pause whenever they are late for one. */
  async runInTurns<T>(slices: Slices<T>): Promise<T> {
    for (;;) {
      const { done, value } = slices.next()
      if (done) return value
      if (this.isLate) await this.pause()
    }
  }
  async #runLarge<T>(slices: Slices<T>): Promise<T> {
    for (;;) {
      const { done, value } = slices.next()
      await this.pause()
      if (done) return value
    }
  }
}
