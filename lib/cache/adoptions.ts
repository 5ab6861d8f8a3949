import type { Revision } from '../object/index.ts'
import type { Adoption } from './contract.ts'

/** What writers handed over before the event of their write arrived. The oldest give way, as do those that it passed. */
export class Adoptions {
  readonly #max: number
  /** In order of revisions. Few, and never for long: a plain list leaves least behind for the collector. */
  #waiting: Adoption[] = []

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#waiting.length
  }

  put(adoption: Adoption): void {
    let place = this.#waiting.length
    while (place > 0 && this.#revisionAt(place - 1) > adoption.revision) place--
    this.#waiting.splice(place, 0, adoption)
    if (this.#waiting.length > this.#max) this.#waiting.shift()
  }

  /** What belongs to the event of that key and revision. */
  take(key: string, revision: Revision): Adoption | undefined {
    let passed = 0
    while (passed < this.#waiting.length && this.#revisionAt(passed) <= revision) passed++
    if (passed === 0) return undefined
    const adoption = this.#waiting.splice(0, passed).at(-1)
    return adoption?.revision === revision && adoption.key === key ? adoption : undefined
  }

  clear(): void {
    this.#waiting = []
  }

  #revisionAt(place: number): Revision | 0 {
    return this.#waiting[place]?.revision ?? 0
  }
}
