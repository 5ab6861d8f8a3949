import type { Clock } from './clock.ts'

/** Work on a smaller object takes a few milliseconds altogether. */
export const largeBytesMin = 64 * 1024

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
}
