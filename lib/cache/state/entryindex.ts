import { createTree, type Tree } from '../../base/index.ts'
import type { StoredColumn } from '../../storage/index.ts'
import type { CacheEntry } from './entry.ts'

/** The value under which an index has an entry; undefined: it has none. Throws where the entry can't be read. */
export type IndexedValue = (entry: CacheEntry) => string | undefined

/**
 * Entries of a resource by one value of each. Unreadable entries are in the set of every value, so that reading them
 * reports the error.
 */
export class EntryIndex {
  readonly #valueOf: IndexedValue
  #loaded: LoadedIndex | undefined
  /** One entry alone has no set: most values of some labels are of one entry. */
  readonly #byValue = new Map<string, CacheEntry | Set<CacheEntry>>()
  readonly #unreadable = new Set<CacheEntry>()

  constructor(valueOf: IndexedValue) {
    this.#valueOf = valueOf
  }

  clear(): void {
    this.#loaded = undefined
    this.#byValue.clear()
    this.#unreadable.clear()
  }

  /**
   * Adds the entries of a load by their saved values, without looking at them; returns the positions of the others. `at`:
   * the entry of a position, which has not been removed.
   */
  load(column: StoredColumn, at: (position: number) => CacheEntry): readonly number[] {
    this.#loaded = new LoadedIndex(column, at)
    return this.#loaded.unknown
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
    if (this.#loaded?.remove(entry.position)) return true
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
    const changed = known === undefined ? 0 : known instanceof Set ? known.size : 1
    return this.#unreadable.size + changed + (this.#loaded?.count(value) ?? 0)
  }

  /** The entries with the value, and the unreadable ones. */
  entriesOf(value: string): Tree<CacheEntry> {
    const tree = createTree<CacheEntry>()
    const known = this.#byValue.get(value)
    if (known instanceof Set) for (const entry of known) tree.set(entry)
    else if (known) tree.set(known)
    for (const entry of this.#unreadable) tree.set(entry)
    this.#loaded?.visit(value, (entry) => void tree.set(entry))
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

/** Positions of a load by value. */
class LoadedIndex {
  /** Positions without a saved value. */
  readonly unknown: readonly number[]
  readonly #ids: Uint32Array
  readonly #idOf: ReadonlyMap<string, number>
  readonly #at: (position: number) => CacheEntry
  /** Positions in order of their ids, and where those of each id begin. */
  readonly #positions: Uint32Array
  readonly #starts: Uint32Array
  /** Entries of each id that are left. */
  readonly #counts: Uint32Array
  readonly #isRemoved: Uint8Array

  constructor({ ids, texts }: StoredColumn, at: (position: number) => CacheEntry) {
    this.#ids = ids
    this.#idOf = new Map(texts.map((text, index) => [text, index + 1]))
    this.#at = at
    this.#isRemoved = new Uint8Array(ids.length)
    this.#counts = new Uint32Array(texts.length + 1)
    for (const id of ids) this.#counts[id] = (this.#counts[id] ?? 0) + 1
    this.#starts = new Uint32Array(texts.length + 2)
    for (let id = 0; id <= texts.length; id++) this.#starts[id + 1] = (this.#starts[id] ?? 0) + (this.#counts[id] ?? 0)
    this.#positions = new Uint32Array(ids.length)
    const next = this.#starts.slice()
    ids.forEach((id, position) => {
      const place = next[id] ?? 0
      this.#positions[place] = position
      next[id] = place + 1
    })
    this.unknown = [...this.#positions.subarray(0, this.#starts[1])]
  }

  /** Returns false for an entry that is not of the load, or has no saved value. */
  remove(position: number): boolean {
    const id = this.#ids[position] ?? 0
    if (id === 0 || this.#isRemoved[position] !== 0) return false
    this.#isRemoved[position] = 1
    this.#counts[id] = (this.#counts[id] ?? 0) - 1
    return true
  }

  count(value: string): number {
    return this.#counts[this.#idOf.get(value) ?? -1] ?? 0
  }

  visit(value: string, visit: (entry: CacheEntry) => void): void {
    const id = this.#idOf.get(value)
    if (id === undefined) return
    for (const position of this.#positions.subarray(this.#starts[id], this.#starts[id + 1]))
      if (this.#isRemoved[position] === 0) visit(this.#at(position))
  }
}

const unreadable = Symbol('unreadable')
