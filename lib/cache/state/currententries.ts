import { createTree, type Tree } from '../../base/index.ts'
import type { StoredValue } from '../../storage/index.ts'
import type { FieldIndex } from '../contract.ts'
import { Unreadables } from '../feed/unreadables.ts'
import type { CacheEntry } from './entry.ts'
import { EntryIndex } from './entryindex.ts'

/** The newest entries of a resource in order of keys, their indexes, and the entries that wait for decryption. */
export class CurrentEntries {
  readonly #indexes: readonly EntryIndex[]
  readonly #unreadables = new Unreadables()
  #tree: Tree<CacheEntry> = createTree()
  #storedBytes = 0

  constructor(indexes: readonly FieldIndex[]) {
    this.#indexes = indexes.map((index) => new EntryIndex(index))
  }

  get tree(): Tree<CacheEntry> {
    return this.#tree
  }

  get storedBytes(): number {
    return this.#storedBytes
  }

  /** Replaces all entries. Unchanged ones keep their derived values. */
  load(values: readonly StoredValue[], newEntry: (value: StoredValue) => CacheEntry): void {
    const before = this.#tree
    const tree = createTree<CacheEntry>()
    this.#storedBytes = 0
    this.#unreadables.clear()
    for (const value of values) {
      this.#storedBytes += value.value.byteLength
      const known = before.delete(value.key)
      if (known?.revision === value.modRevision && !known.unreadable) tree.set(known)
      else {
        known?.retire()
        const entry = newEntry(value)
        tree.set(entry)
        this.#unreadables.add(entry)
      }
    }
    retireAll(before)
    this.#tree = tree
    for (const index of this.#indexes) index.load(tree)
  }

  /** Returns the previous entry. */
  put(entry: CacheEntry): CacheEntry | undefined {
    const previous = this.#tree.set(entry)
    this.#unreadables.add(entry)
    this.#replaced(previous, entry)
    return previous
  }

  delete(key: string): CacheEntry | undefined {
    const previous = this.#tree.delete(key)
    this.#replaced(previous, undefined)
    return previous
  }

  /** The entries that match a field equality by an index; undefined: there is no index. */
  indexed(equals: { readonly field: string; readonly value: string }): Tree<CacheEntry> | undefined {
    return this.#indexes.find(({ field }) => field === equals.field)?.entriesOf(equals.value)
  }

  /** Tries to decrypt the unreadable entries again; calls `repaired` when some can be read now. Never rejects. */
  tryAgain(repaired: () => void): Promise<void> {
    return this.#unreadables.tryAgain((values) => {
      for (const [entry, value] of values) {
        for (const index of this.#indexes) index.replace(entry, undefined)
        entry.repair(value)
        for (const index of this.#indexes) index.replace(undefined, entry)
        this.#storedBytes += entry.storedBytes
      }
      repaired()
    })
  }

  clear(): void {
    this.#unreadables.clear()
    retireAll(this.#tree)
    this.#tree = createTree()
    for (const index of this.#indexes) index.load(this.#tree)
    this.#storedBytes = 0
  }

  #replaced(previous: CacheEntry | undefined, current: CacheEntry | undefined): void {
    this.#storedBytes += (current?.storedBytes ?? 0) - (previous?.storedBytes ?? 0)
    for (const index of this.#indexes) index.replace(previous, current)
    if (!previous) return
    this.#unreadables.delete(previous)
    previous.retire()
  }
}

function retireAll(tree: Tree<CacheEntry>): void {
  tree.visit('', '\uffff', (entry) => {
    entry.retire()
    return true
  })
}
