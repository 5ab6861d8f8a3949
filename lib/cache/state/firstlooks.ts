import type { Tree } from '../../base/index.ts'
import type { Ticker, Worker } from '../watch/ticker.ts'
import type { CacheEntry } from './entry.ts'
import { TreePass } from './treepass.ts'

/**
 * Reads the labels of all entries in slices, after a load, so that the first list by label finds them. Entries of later
 * events are read as they come.
 */
export class FirstLooks implements Worker {
  readonly #ticker: Pick<Ticker, 'want'>
  readonly #tree: () => Tree<CacheEntry>
  #pass = new TreePass()

  constructor({ ticker, tree }: { readonly ticker: Pick<Ticker, 'want'>; tree(): Tree<CacheEntry> }) {
    this.#ticker = ticker
    this.#tree = tree
  }

  begin(): void {
    this.#pass = new TreePass()
    if (this.#tree().size > 0) this.#ticker.want(this)
  }

  work(expired: () => boolean): boolean {
    const look = (entry: CacheEntry): boolean => {
      entry.readAhead()
      return true
    }
    this.#pass.work(this.#tree(), look, expired)
    return !this.#pass.done
  }
}
