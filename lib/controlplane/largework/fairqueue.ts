/** Waiting work with a separate queue for each user, served in turns. */
export class FairQueue<Work> {
  readonly #max: number
  /** Users in the order of their turns. */
  readonly #lines = new Map<string, Set<{ readonly work: Work }>>()
  #size = 0

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#size
  }

  /** Returns a function that removes the work; undefined: the queue is full. */
  add(user: string, work: Work): (() => void) | undefined {
    if (this.#size >= this.#max) return undefined
    const place = { work }
    const line = this.#lines.get(user) ?? new Set()
    this.#lines.set(user, line.add(place))
    this.#size++
    return () => this.#remove(user, place)
  }

  /** Takes the next work; its user moves to the end. */
  take(): Work | undefined {
    for (const [user, line] of this.#lines) {
      this.#lines.delete(user)
      this.#lines.set(user, line)
      for (const place of line) {
        this.#remove(user, place)
        return place.work
      }
    }
    return undefined
  }

  #remove(user: string, place: { readonly work: Work }): void {
    const line = this.#lines.get(user)
    if (!line?.delete(place)) return
    this.#size--
    if (line.size === 0) this.#lines.delete(user)
  }
}
