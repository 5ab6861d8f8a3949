import type { Tree } from '../../base/index.ts'
import type { CacheOptions } from '../options.ts'
import type { Ticker, Worker } from '../watch/ticker.ts'
import type { Allotment } from './allotment.ts'
import type { CacheEntry } from './entry.ts'
import { EntryIndex } from './entryindex.ts'
import { TreePass } from './treepass.ts'

interface LabelIndexDependencies {
  readonly ticker: Pick<Ticker, 'want'>
  /** Bytes that all indexes of a feed may take, together with what selectors read. */
  readonly allotment: Allotment
  /** The current entries. */
  tree(): Tree<CacheEntry>
}

type LabelIndexOptions = Pick<CacheOptions, 'labelIndexesMax' | 'labelIndexAsksMin' | 'labelIndexPeriodMs'>

/** Keys whose lists are counted in one period. Clients that ask for more keys than this don't get indexes of them. */
const countedKeysMax = 256
/** About the bytes that an index takes for one entry: its places in a set and in the table of values. */
const weightBytes = 64

interface LabelIndex {
  readonly key: string
  readonly index: EntryIndex
  readonly pass: TreePass
  weight: number
  /** Lists of this period. */
  asks: number
}

/**
 * Indexes of the current entries by the labels that lists ask for. A key that was asked for several times within a
 * period gets an index, made in slices in the background; one that was not asked for throughout a period loses it. Where
 * keys are more than indexes, those that lists asked for more often in the last period have them.
 */
export class LabelIndexes implements Worker {
  readonly #dependencies: LabelIndexDependencies
  readonly #options: LabelIndexOptions
  readonly #indexes = new Map<string, LabelIndex>()
  /** Lists of this period by keys without an index. */
  readonly #asks = new Map<string, number>()
  #periodEndMs = 0

  constructor(dependencies: LabelIndexDependencies, options: LabelIndexOptions) {
    this.#dependencies = dependencies
    this.#options = options
  }

  get size(): number {
    return this.#indexes.size
  }

  /** Counts a list that selects by the label; answers the index, once it is complete. */
  ask(key: string): EntryIndex | undefined {
    const known = this.#indexes.get(key)
    if (known) {
      known.asks++
      return known.pass.done ? known.index : undefined
    }
    const asks = (this.#asks.get(key) ?? 0) + 1
    if (this.#asks.has(key) || this.#asks.size < countedKeysMax) this.#asks.set(key, asks)
    if (asks >= this.#options.labelIndexAsksMin && this.#indexes.size < this.#options.labelIndexesMax)
      this.#begin(key, asks)
    return undefined
  }

  add(entry: CacheEntry): void {
    for (const index of this.#indexes.values())
      if (index.pass.covers(entry.key) && !this.#addTo(index, entry)) this.#refuse(index)
  }

  remove(entry: CacheEntry): void {
    for (const index of this.#indexes.values())
      if (index.pass.covers(entry.key) && index.index.remove(entry)) this.#giveBack(index, weightBytes)
  }

  /** The entries are others now, or have other labels. */
  clear(): void {
    for (const index of this.#indexes.values()) this.#drop(index)
  }

  work(expired: () => boolean): boolean {
    for (const index of this.#indexes.values()) {
      if (index.pass.done) continue
      let fits = true
      index.pass.work(this.#dependencies.tree(), (entry) => (fits = this.#addTo(index, entry)), expired)
      if (!fits) this.#refuse(index)
      if (expired()) break
    }
    return this.#isBuilding
  }

  /** Called once a second: at the end of a period, chooses the keys that have indexes in the next. */
  second(nowMs: number): void {
    if (nowMs < this.#periodEndMs) return
    this.#periodEndMs = nowMs + this.#options.labelIndexPeriodMs
    for (const index of this.#indexes.values()) if (index.asks === 0) this.#drop(index)
    const wanted = [...this.#asks].filter(([, asks]) => asks >= this.#options.labelIndexAsksMin)
    for (const [key, asks] of wanted.sort(([, a], [, b]) => b - a)) {
      if (this.#indexes.size >= this.#options.labelIndexesMax && !this.#makeRoom(asks)) break
      this.#begin(key, asks)
    }
    this.#asks.clear()
    for (const index of this.#indexes.values()) index.asks = 0
  }

  get #isBuilding(): boolean {
    for (const { pass } of this.#indexes.values()) if (!pass.done) return true
    return false
  }

  /** Drops the index that lists asked for least, if it was for less than half as often as `asks`. */
  #makeRoom(asks: number): boolean {
    let least: LabelIndex | undefined
    for (const index of this.#indexes.values()) if (!least || index.asks < least.asks) least = index
    if (!least || least.asks * 2 >= asks) return false
    this.#drop(least)
    return true
  }

  #begin(key: string, asks: number): void {
    this.#asks.delete(key)
    const index = new EntryIndex((entry) => labelOf(entry, key))
    this.#indexes.set(key, { key, index, pass: new TreePass(), weight: 0, asks })
    this.#dependencies.ticker.want(this)
  }

  /** Returns false when there is no room for another entry. */
  #addTo(index: LabelIndex, entry: CacheEntry): boolean {
    if (!index.index.add(entry)) return true
    if (!this.#dependencies.allotment.take(weightBytes)) return false
    index.weight += weightBytes
    return true
  }

  #giveBack(index: LabelIndex, bytes: number): void {
    index.weight -= bytes
    this.#dependencies.allotment.giveBack(bytes)
  }

  /** There is no room for the index: it is not begun again before the next period. */
  #refuse(index: LabelIndex): void {
    this.#drop(index)
    this.#asks.set(index.key, Number.NEGATIVE_INFINITY)
  }

  #drop(index: LabelIndex): void {
    this.#indexes.delete(index.key)
    this.#giveBack(index, index.weight)
  }
}

function labelOf(entry: CacheEntry, key: string): string | undefined {
  const labels = entry.labels()
  return Object.hasOwn(labels, key) ? labels[key] : undefined
}
