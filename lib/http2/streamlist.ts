/**
 * The open streams of a connection by their ids, which only ascend. There are few at a time, and requests add and
 * remove them all the time: a list with binary search makes no garbage, where a Map would leave its outgrown tables.
 */
export class StreamList<T extends { readonly id: number }> {
  readonly #open: T[] = []

  get size(): number {
    return this.#open.length
  }

  /** Its id must be larger than that of any stream added before. */
  add(stream: T): void {
    this.#open.push(stream)
  }

  get(id: number): T | undefined {
    const found = this.#open[this.#placeOf(id)]
    return found?.id === id ? found : undefined
  }

  delete(id: number): void {
    const place = this.#placeOf(id)
    if (this.#open[place]?.id === id) this.#open.splice(place, 1)
  }

  /** A copy. */
  values(): readonly T[] {
    return this.#open.slice()
  }

  clear(): void {
    this.#open.length = 0
  }

  /** Index of the first stream whose id is not smaller. */
  #placeOf(id: number): number {
    let low = 0
    let high = this.#open.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#open[middle]?.id ?? id) < id) low = middle + 1
      else high = middle
    }
    return low
  }
}
