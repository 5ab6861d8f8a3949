/** Steps of some 1 µs each between two pauses. */
const stepsASlice = 2000

/** Counts the work between two pauses, in steps or in another unit, and decides when a pause is due. */
export class Pace {
  readonly #slice: number
  #spent = 0

  /** `slice`: the amount of work between pauses. */
  constructor(slice = stepsASlice) {
    this.#slice = slice
  }

  spend(work: number): void {
    this.#spent += work
  }

  /** Whether a slice is complete, or would be with this much more. */
  isSpent(more = 0): boolean {
    return this.#spent + more >= this.#slice
  }

  restart(): void {
    this.#spent = 0
  }

  /** Counts one step. True: a pause is due, and the next slice begins. */
  isDue(): boolean {
    if (++this.#spent < this.#slice) return false
    this.#spent = 0
    return true
  }
}
