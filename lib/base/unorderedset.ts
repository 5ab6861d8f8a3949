/** An item stores its index in the one set that holds it; only the set writes `place`. */
export interface UnorderedSetItem {
  place: number
}

/**
 * An unordered set for items that come and go all the time, such as requests: an array whose last item takes the place of
 * a deleted one. Unlike a Set it doesn't keep the collector of young objects busy: each table that a Set outgrows points to the next one, so a single dead table among
 * the old objects keeps everything alive that was in any table after it, until all of memory is collected.
 */
export class UnorderedSet<T extends UnorderedSetItem> {
  readonly #items: T[] = []

  get size(): number {
    return this.#items.length
  }

  has(item: T): boolean {
    // Reading an array below 0 is a slow look-up of a property.
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
