import type { Clock } from '../../base/index.ts'

/** How often a client may do what costs more than it should: so many times at once, and so many a second after that. */
export class Allowance {
  readonly #clock: Clock
  readonly #burst: number
  readonly #perSecond: number
  #left: number
  #atMs: number

  constructor(clock: Clock, burst: number, perSecond: number) {
    this.#clock = clock
    this.#burst = burst
    this.#perSecond = perSecond
    this.#left = burst
    this.#atMs = clock.monotonicMs()
  }

  /** False when it is used up. */
  take(): boolean {
    if (this.#left < 1) {
      const nowMs = this.#clock.monotonicMs()
      this.#left = Math.min(this.#burst, this.#left + ((nowMs - this.#atMs) / 1000) * this.#perSecond)
      this.#atMs = nowMs
      if (this.#left < 1) return false
    }
    this.#left--
    return true
  }
}
