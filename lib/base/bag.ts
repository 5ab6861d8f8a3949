/** Knows its place in the one bag that it is in: an index that only the bag touches. */
export interface Bagged {
  place: number
}

/**
 * A set without an order for what comes and goes all the time, such as requests. Unlike a Set it doesn't keep the
 * collector of young objects busy: each table that a Set outgrows points to the next one, so a single dead table among
 * the old objects keeps everything alive that was in any table after it, until all of memory is collected.
 */
export class Bag<T extends Bagged> {
  readonly #items: T[] = []

  get size(): number {
    return this.#items.length
  }

  has(item: T): boolean {
    return this.#items[item.place] === item
  }

  add(item: T): void {
    if (this.has(item)) return
    item.place = this.#items.length
    this.#items.push(item)
  }

  /** False when it isn't here. */
  delete(item: T): boolean {
    if (!this.has(item)) return false
    const last = this.#items.pop()
    if (last !== undefined && last !== item) {
      this.#items[item.place] = last
      last.place = item.place
    }
    return true
  }

  /** As of now: the bag may change while they are gone through. */
  values(): readonly T[] {
    return this.#items.slice()
  }

  clear(): void {
    this.#items.length = 0
  }
}
