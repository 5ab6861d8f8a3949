import { createTree, type Tree } from '../../base/index.ts'
import type { CacheEntry } from './entry.ts'

/** The value under which an index has an entry; undefined: it has none. Throws where the entry can't be read. */
export type IndexedValue = (entry: CacheEntry) => string | undefined

/**
 * Entries of a resource by one value of each. Unreadable entries are in the set of every value, so that reading them
 * reports the error.
 */
export class EntryIndex {
  readonly #valueOf: IndexedValue
  /** One entry alone has no set: most values of some labels are of one entry. */
  readonly #byValue = new Map<string, CacheEntry | Set<CacheEntry>>()
  readonly #unreadable = new Set<CacheEntry>()

  constructor(valueOf: IndexedValue) {
    this.#valueOf = valueOf
  }

  clear(): void {
    this.#byValue.clear()
    this.#unreadable.clear()
  }

  /** Returns false when the index has no value of the entry. */
  add(entry: CacheEntry): boolean {
    const value = this.#read(entry)
    if (value === unreadable) this.#unreadable.add(entry)
    else if (value === undefined) return false
    else {
      const known = this.#byValue.get(value)
      if (known === undefined) this.#byValue.set(value, entry)
      else if (known instanceof Set) known.add(entry)
      else this.#byValue.set(value, new Set([known, entry]))
    }
    return true
  }

  /** Removes an entry; its value must be the one that it was added under. Returns false when it was not there. */
  remove(entry: CacheEntry): boolean {
    const value = this.#read(entry)
    if (value === unreadable) return this.#unreadable.delete(entry)
    if (value === undefined) return false
    const known = this.#byValue.get(value)
    if (known === entry) return this.#byValue.delete(value)
    if (!(known instanceof Set)) return false
    if (known.size === 1 && known.has(entry)) return this.#byValue.delete(value)
    return known.delete(entry)
  }

  /** Number of entries that `entriesOf` returns. */
  count(value: string): number {
    const known = this.#byValue.get(value)
    return this.#unreadable.size + (known === undefined ? 0 : known instanceof Set ? known.size : 1)
  }

  /** The entries with the value, and the unreadable ones. */
  entriesOf(value: string): Tree<CacheEntry> {
    const tree = createTree<CacheEntry>()
    const known = this.#byValue.get(value)
    if (known instanceof Set) for (const entry of known) tree.set(entry)
    else if (known) tree.set(known)
    for (const entry of this.#unreadable) tree.set(entry)
    return tree
  }

  #read(entry: CacheEntry): string | undefined | typeof unreadable {
    try {
      return this.#valueOf(entry)
    } catch {
      return unreadable
    }
  }
}

const unreadable = Symbol('unreadable')
