/** Steps of some 1 µs each between two pauses. */
const stepsASlice = 2000

/** Counts the steps of work in slices: tells when a pause is due. */
export class Pace {
  #left = stepsASlice

  isDue(): boolean {
    if (--this.#left > 0) return false
    this.#left = stepsASlice
    return true
  }
}
