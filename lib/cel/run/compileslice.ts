/** Characters of expressions whose compilation takes some milliseconds, a few tens on a slow machine. */
const sliceCharactersMax = 4_000
/** Even the shortest expression costs about this many. */
const charactersMin = 40

/** Tells after which expressions others should run, when many are compiled in one go. */
export class CompileSlice {
  #characters = 0

  note(expression: string): void {
    this.#characters += Math.max(charactersMin, expression.length)
  }

  /** True: enough was compiled since the last time that this was so. */
  isDue(): boolean {
    if (this.#characters < sliceCharactersMax) return false
    this.#characters = 0
    return true
  }
}
