import type { Revision } from '../../object/index.ts'
import type { WriteHint } from '../contract.ts'

/**
 * Hints of writes whose events have not arrived yet. Hints whose revision an event has passed are dropped, and so are
 * the oldest of too many.
 */
export class WriteHints {
  readonly #max: number
  /** In order of revisions. Few and short-lived: a plain array leaves least work for the garbage collector. */
  #waiting: WriteHint[] = []

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#waiting.length
  }

  put(hint: WriteHint): void {
    let place = this.#waiting.length
    while (place > 0 && this.#revisionAt(place - 1) > hint.revision) place--
    this.#waiting.splice(place, 0, hint)
    if (this.#waiting.length > this.#max) this.#waiting.shift()
  }

  /** Removes and returns the hint for the event of that key and revision. */
  take(key: string, revision: Revision): WriteHint | undefined {
    let passed = 0
    while (passed < this.#waiting.length && this.#revisionAt(passed) <= revision) passed++
    if (passed === 0) return undefined
    const hint = this.#waiting.splice(0, passed).at(-1)
    return hint?.revision === revision && hint.key === key ? hint : undefined
  }

  clear(): void {
    this.#waiting = []
  }

  #revisionAt(place: number): Revision | 0 {
    return this.#waiting[place]?.revision ?? 0
  }
}
