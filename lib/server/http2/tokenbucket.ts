import type { Clock } from '../../base/index.ts'

/** A rate limit: `burst` events at once, refilled by `perSecond` a second. */
export class TokenBucket {
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

  /** Takes one token; false when there is none. */
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
