/** Characters of expressions whose compilation takes some milliseconds, or a few tens on a slow machine. */
const sliceCharactersMax = 4_000
/** Minimum count of an expression, however short. */
const charactersMin = 40

/** Decides when to pause while many expressions are compiled. */
export class CompileSlice {
  #characters = 0

  note(expression: string): void {
    this.#characters += Math.max(charactersMin, expression.length)
  }

  /** True: enough was compiled since the last true. */
  isDue(): boolean {
    if (this.#characters < sliceCharactersMax) return false
    this.#characters = 0
    return true
  }
}
