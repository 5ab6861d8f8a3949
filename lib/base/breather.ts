import type { Clock } from './clock.ts'

/** Work on a smaller object takes a few milliseconds altogether. */
export const largeBytesMin = 64 * 1024

/** Work that may be paused at each `yield`, between slices that each take a bounded time. */
export type Slices<T> = Generator<undefined, T>

/** Runs all slices at once. */
export function runSlices<T>(slices: Slices<T>): T {
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
  }
}

/**
 * Lets others run between two steps of the work on one large object: `if (breather.isLarge) await breather.pause()`. Small
 * ones pay for the question only.
 */
export class Breather {
  readonly #clock: Clock
  #isLarge = false

  constructor(clock: Clock) {
    this.#clock = clock
  }
  get isLarge(): boolean {
    return this.#isLarge
  }
  /** Tells the size of something that the work is about. */
  note(bytes: number): void {
    if (bytes >= largeBytesMin) this.#isLarge = true
  }
  pause(): Promise<void> {
    return new Promise((resolve) => void this.#clock.soon(resolve))
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
  async #runLarge<T>(slices: Slices<T>): Promise<T> {
    for (;;) {
      const { done, value } = slices.next()
      await this.pause()
      if (done) return value
    }
  }
}
