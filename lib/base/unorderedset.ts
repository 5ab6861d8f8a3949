/** An item stores its index in the one set that holds it; only the set writes `place`. */
export interface UnorderedSetItem {
  place: number
}

/**
 * An unordered set for items that are added and removed all the time, such as requests: an array whose last item
 * replaces a removed one. Unlike a Set it doesn't burden the collector of young objects: each table that a Set outgrows
 * refers to the next one, so a single dead table among the old objects keeps all later tables and their items in memory
 * until a full collection.
 */
export class UnorderedSet<T extends UnorderedSetItem> {
  readonly #items: T[] = []

  get size(): number {
    return this.#items.length
  }

  has(item: T): boolean {
    // A negative index would be a slow property look-up.
    return item.place >= 0 && this.#items[item.place] === item
  }

  add(item: T): void {
    if (this.has(item)) return
    item.place = this.#items.length
    this.#items.push(item)
  }

  /** False when the item is not in the set. */
  delete(item: T): boolean {
    if (!this.has(item)) return false
    const last = this.#items.pop()
    if (last !== undefined && last !== item) {
      this.#items[item.place] = last
      last.place = item.place
    }
    item.place = -1
    return true
  }

  /** A copy: the set may change while the caller iterates. */
  values(): readonly T[] {
    return this.#items.slice()
  }

  clear(): void {
    this.#items.length = 0
  }
}
