import { createTree, type Tree } from '../../base/index.ts'
import type { FieldIndex } from '../contract.ts'
import type { CacheEntry } from './entry.ts'

/**
 * The current entries of a resource by the value of one field. Unreadable entries are in the set of every value, so
 * that reading them reports the error.
 */
export class EntryIndex {
  readonly field: string
  readonly #valueOf: FieldIndex['valueOf']
  #byValue = new Map<string, Set<CacheEntry>>()
  #unreadable = new Set<CacheEntry>()

  constructor({ field, valueOf }: FieldIndex) {
    this.field = field
    this.#valueOf = (stored) => valueOf(stored)
  }

  /** Replaces all entries. */
  load(tree: Tree<CacheEntry>): void {
    this.#byValue = new Map()
    this.#unreadable = new Set()
    tree.visit('', '\uffff', (entry) => {
      this.#add(entry)
      return true
    })
  }

  replace(previous: CacheEntry | undefined, current: CacheEntry | undefined): void {
    if (previous) this.#remove(previous)
    if (current) this.#add(current)
  }

  /** The entries with the value, and the unreadable ones. */
  entriesOf(value: string): Tree<CacheEntry> {
    const tree = createTree<CacheEntry>()
    for (const entries of [this.#byValue.get(value) ?? [], this.#unreadable])
      for (const entry of entries) tree.set(entry)
    return tree
  }

  #add(entry: CacheEntry): void {
    const value = this.#read(entry)
    const entries = value === undefined ? this.#unreadable : this.#byValue.get(value)
    if (entries) entries.add(entry)
    else if (value !== undefined) this.#byValue.set(value, new Set([entry]))
  }

  #remove(entry: CacheEntry): void {
    const value = this.#read(entry)
    if (value === undefined) {
      this.#unreadable.delete(entry)
      return
    }
    const entries = this.#byValue.get(value)
    entries?.delete(entry)
    if (entries?.size === 0) this.#byValue.delete(value)
  }

  #read(entry: CacheEntry): string | undefined {
    try {
      return this.#valueOf(entry.stored)
    } catch {
      return undefined
    }
  }
}
