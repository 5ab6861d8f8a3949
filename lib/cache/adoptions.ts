import type { Revision } from '../object/index.ts'
import type { Adoption } from './contract.ts'

/** What writers handed over before the event of their write arrived. The oldest give way, as do those that it passed. */
export class Adoptions {
  readonly #max: number
  readonly #waiting = new Map<Revision, Adoption>()

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#waiting.size
  }

  put(adoption: Adoption): void {
    this.#waiting.set(adoption.revision, adoption)
    for (const revision of this.#waiting.keys()) {
      if (this.#waiting.size <= this.#max) return
      this.#waiting.delete(revision)
    }
  }

  /** What belongs to the event of that key and revision. */
  take(key: string, revision: Revision): Adoption | undefined {
    if (this.#waiting.size === 0) return undefined
    const adoption = this.#waiting.get(revision)
    for (const waiting of this.#waiting.keys()) {
      if (waiting > revision) break
      this.#waiting.delete(waiting)
    }
    return adoption?.key === key ? adoption : undefined
  }

  clear(): void {
    this.#waiting.clear()
  }
}
