import type { Tree } from '../../base/index.ts'
import type { CacheEntry } from './entry.ts'

/** Entries that are visited between two reads of the clock. */
const entriesPerLook = 16

/**
 * Visits all entries of a tree that changes meanwhile, in slices and in order of keys. `covers` separates the keys that
 * have been visited from those that will be. A caller that applies changes of covered keys itself, and leaves the others
 * to the pass, misses none and applies none twice.
 */
export class TreePass {
  #next: string | undefined = ''

  /** All keys have been visited. */
  get done(): boolean {
    return this.#next === undefined
  }

  covers(key: string): boolean {
    return this.#next === undefined || key < this.#next
  }

  /** Visits entries until the slice has expired, or `look` returns false for one, which has been visited then. */
  work(tree: Tree<CacheEntry>, look: (entry: CacheEntry) => boolean, expired: () => boolean): void {
    if (this.#next === undefined) return
    let last: CacheEntry | undefined
    let stopped = false
    let looked = 0
    tree.visit(this.#next, '\uffff', (entry) => {
      last = entry
      stopped = !look(entry) || (++looked % entriesPerLook === 0 && expired())
      return !stopped
    })
    this.#next = stopped && last ? `${last.key}\0` : undefined
  }
}
