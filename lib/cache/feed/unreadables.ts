import type { CacheEntry } from '../state/entry.ts'

/** Maximum number of entries that one round tries. */
const roundEntriesMax = 200

/** The current entries of a resource whose values could not be decrypted. Each is tried again until it succeeds. */
export class Unreadables {
  /** In the order in which they are tried. */
  readonly #entries = new Set<CacheEntry>()
  #trying = false

  get size(): number {
    return this.#entries.size
  }

  add(entry: CacheEntry): void {
    if (entry.unreadable) this.#entries.add(entry)
  }

  delete(entry: CacheEntry): void {
    if (this.#entries.size > 0) this.#entries.delete(entry)
  }

  clear(): void {
    this.#entries.clear()
  }

  /**
   * Tries each entry once, and calls `repaired` with those that have a value now. Never rejects. One round at a time: a
   * key service may be slow.
   */
  async tryAgain(repaired: (values: ReadonlyMap<CacheEntry, Uint8Array>) => void): Promise<void> {
    if (this.#trying || this.#entries.size === 0) return
    this.#trying = true
    const round = [...this.#entries].slice(0, roundEntriesMax)
    const values = await Promise.all(round.map(async (entry) => await entry.unreadable?.again()))
    this.#trying = false
    const found = new Map<CacheEntry, Uint8Array>()
    for (const [at, entry] of round.entries()) {
      // The entry was deleted or replaced meanwhile.
      if (!this.#entries.delete(entry)) continue
      const value = values[at]
      if (value) found.set(entry, value)
      else this.#entries.add(entry)
    }
    if (found.size > 0) repaired(found)
  }
}
