/** A step takes some microseconds: a search that finds nothing holds the event loop for some 50 ms at most. */
const searchStepsMax = 10_000

/** Bounds a search for devices: the candidates that are tried for one pod, on all nodes together. */
export class SearchBudget {
  #left: number

  constructor(stepsMax = searchStepsMax) {
    this.#left = stepsMax
  }

  /** Throws SearchEnd when the budget is used up. */
  spend(steps = 1): void {
    this.#left -= steps
    if (this.#left < 0) throw new SearchEnd('timed out trying to allocate devices')
  }
}

/** A search can't go on, on this node; the message is the reason, in stock words. */
export class SearchEnd extends Error {
  override readonly name = 'SearchEnd'
}
