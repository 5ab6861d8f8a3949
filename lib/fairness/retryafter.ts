/** Maximum of the Retry-After header, in seconds. */
const secondsMax = 32

/**
 * The Retry-After of one level's refusals: it grows while there are many refusals, and shrinks when there are few.
 * Adjusted at the first refusal of a second.
 */
export class RetryAfter {
  #seconds = 1
  #changedAt = 0
  #secondAt = 0
  #refused = 0

  /** Counts a refusal and returns the seconds for its Retry-After header. */
  refuse(nowMs: number): number {
    const second = Math.floor(nowMs / 1000)
    if (second !== this.#secondAt) {
      this.#secondAt = second
      this.#review(second)
    }
    this.#refused++
    return this.#seconds
  }

  #review(second: number): void {
    if (second - this.#changedAt < this.#seconds) return
    const before = this.#seconds
    if (this.#refused >= 3 * before) this.#seconds = Math.min(secondsMax, before * 2)
    else if (this.#refused < before) this.#seconds = Math.max(1, before - 1)
    this.#changedAt = second
    this.#refused = 0
  }
}
