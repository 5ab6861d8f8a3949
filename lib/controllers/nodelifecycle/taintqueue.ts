/** Nodes of one zone that are to be tainted, in order of arrival, one at a time at the zone's rate. */
export class TaintQueue {
  readonly #names = new Set<string>()
  #rate = 0
  #nextMs = Number.NEGATIVE_INFINITY

  get size(): number {
    return this.#names.size
  }

  /** Nodes a second; 0: none. */
  setRate(rate: number): void {
    this.#rate = rate
  }

  add(name: string): void {
    this.#names.add(name)
  }

  delete(name: string): void {
    this.#names.delete(name)
  }

  clear(): void {
    this.#names.clear()
  }

  /** The next node, if one is due. `nowMs`: of the monotonic clock. */
  take(nowMs: number): string | undefined {
    if (this.#rate <= 0 || nowMs < this.#nextMs) return undefined
    const [name] = this.#names
    if (name === undefined) return undefined
    this.#names.delete(name)
    this.#nextMs = nowMs + 1000 / this.#rate
    return name
  }
}
