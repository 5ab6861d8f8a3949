import type { WorkLimit } from '../../base/index.ts'

/** Maximum number of values times schemas for one object, or of equally long work: some 0.4 µs each. */
const stepsMax = 2_000_000
/** Number of steps between two looks at the clock: some 0.8 ms. */
const stepsPerCheck = 2000
/** Number of characters of a text that take one step. */
const charactersAStep = 50

/** Counts the steps of one object's validation, so that it ends in time. */
export class ValidationWork {
  readonly #limit: WorkLimit
  #max = stepsMax
  #steps = 0
  #checkAt = stepsPerCheck

  constructor(limit: WorkLimit) {
    this.#limit = limit
  }

  note(steps: number): void {
    this.#steps += steps
  }

  /** Counts work that no later object of the schema repeats: it takes time, but makes no object too large. */
  noteOnce(steps: number): void {
    this.#steps += steps
    this.#max += steps
  }

  /** Counts the checks of a text's length, format and pattern. */
  noteText(text: string): void {
    if (text.length > charactersAStep) this.#steps += Math.trunc(text.length / charactersAStep)
  }

  get isOver(): boolean {
    return this.#steps > this.#max
  }

  /** Throws TooLongHere. */
  check(): void {
    if (this.#steps < this.#checkAt) return
    this.#checkAt = this.#steps + stepsPerCheck
    this.#limit.check()
  }
}
