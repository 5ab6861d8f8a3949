/** Values times schemas that are looked at in one object, or what takes as long: some 0.4 µs each. */
export const stepsMax = 2_000_000
/** Steps without a pause, which take some 8 ms. */
export const sliceStepsMax = 20_000
/** Characters of a text that take one step. */
const charactersAStep = 50

/** Counts what the validation of one object does: tells when others should run, and when it is too much. */
export class ValidationWork {
  #max: number
  #steps = 0
  #pausedAt = 0

  constructor(max: number) {
    this.#max = max
  }

  note(steps: number): void {
    this.#steps += steps
  }

  /** For work that no later object of the schema has: it calls for pauses, and makes no object too large. */
  noteOnce(steps: number): void {
    this.#steps += steps
    if (this.#max > sliceStepsMax) this.#max += steps
  }

  /** The length, format and look of a text are to be checked. */
  noteText(text: string): void {
    if (text.length > charactersAStep) this.#steps += Math.trunc(text.length / charactersAStep)
  }

  get isOver(): boolean {
    return this.#steps > this.#max
  }

  /** True: so much was done since the last time that this was so. */
  isDue(): boolean {
    if (this.#steps - this.#pausedAt < sliceStepsMax) return false
    this.#pausedAt = this.#steps
    return true
  }
}
