import { assert, createTree, createTreeOf, type Tree } from '../../base/index.ts'
import type { StoredValue, TableState } from '../../storage/index.ts'
import type { Equality, FieldIndex } from '../contract.ts'
import { Unreadables } from '../feed/unreadables.ts'
import type { CacheOptions } from '../options.ts'
import type { Ticker } from '../watch/ticker.ts'
import type { Allotment } from './allotment.ts'
import { fieldColumn, labelsColumn, savedLabels } from './columns.ts'
import type { CacheEntry } from './entry.ts'
import { EntryIndex } from './entryindex.ts'
import { FirstLooks } from './firstlooks.ts'
import { LabelIndexes } from './labelindexes.ts'
import type { SharedBlocks } from './sharedblocks.ts'
import type { TextSets } from './textsets.ts'

interface CurrentEntriesDependencies {
  readonly ticker: Pick<Ticker, 'want'>
  /** Bytes that indexes of labels may take. */
  readonly allotment: Allotment
  readonly blocks: SharedBlocks
  readonly labelSets: TextSets
}

type CurrentEntriesOptions = Pick<
  CacheOptions,
  'labelIndexesMax' | 'labelIndexAsksMin' | 'labelIndexPeriodMs' | 'indexedShareMax'
>

/** The newest entries of a resource in order of keys, their indexes, and the entries that wait for decryption. */
export class CurrentEntries {
  readonly #options: CurrentEntriesOptions
  readonly #fieldIndexes: ReadonlyMap<string, EntryIndex>
  readonly #labelIndexes: LabelIndexes
  readonly #firstLooks: FirstLooks
  readonly #blocks: SharedBlocks
  readonly #labelSets: TextSets
  readonly #unreadables = new Unreadables()
  #tree: Tree<CacheEntry> = createTree()
  #storedBytes = 0

  constructor(
    indexes: readonly FieldIndex[],
    dependencies: CurrentEntriesDependencies,
    options: CurrentEntriesOptions,
  ) {
    this.#options = options
    this.#blocks = dependencies.blocks
    this.#labelSets = dependencies.labelSets
    const indexOf = ({ field, valueOf }: FieldIndex) =>
      [field, new EntryIndex((entry) => valueOf(entry.stored))] as const
    this.#fieldIndexes = new Map(indexes.map(indexOf))
    const ofTree = { ...dependencies, tree: () => this.#tree }
    this.#labelIndexes = new LabelIndexes(ofTree, options)
    this.#firstLooks = new FirstLooks(ofTree)
  }

  get tree(): Tree<CacheEntry> {
    return this.#tree
  }

  get storedBytes(): number {
    return this.#storedBytes
  }

  /** As `load`, of a table that was saved with the columns of `columns`. Entries are made when they are looked at. */
  loadTable(
    { table, removed, changed }: TableState,
    newEntry: (value: StoredValue, position?: number) => CacheEntry,
  ): void {
    this.clear()
    const labels = savedLabels(table.column(labelsColumn), this.#labelSets)
    const tree = createTreeOf<CacheEntry>({
      size: table.size,
      keyAt: (index) => table.keyAt(index),
      make(from, to) {
        const entries: CacheEntry[] = []
        for (let index = from; index < to; index++) {
          const entry = newEntry(table.valueAt(index), index)
          const known = labels.of(index)
          if (known) entry.presetLabels(known)
          entries.push(entry)
        }
        table.release(from, to)
        return entries
      },
    })
    this.#tree = tree
    this.#storedBytes = table.valueBytes
    for (const { memory, from, to, bytes } of table.blocks)
      if (to - from > 1 || bytes < memory.byteLength)
        this.#blocks.addWhole(memory, table.keyAt(from), table.keyAt(to - 1), bytes)
    this.#blocks.loaded()
    const at = (position: number): CacheEntry => {
      const entry = this.#tree.get(table.keyAt(position))
      assert(entry?.position === position, 'cache: an index has an entry that is not current')
      return entry
    }
    for (const [name, index] of this.#fieldIndexes) {
      const column = table.column(fieldColumn({ field: name }))
      if (column) for (const position of index.load(column, at)) index.add(at(position))
      else visitAll(tree, (entry) => void index.add(entry))
    }
    for (const key of removed) this.delete(key)
    for (const value of changed) this.put(newEntry(value))
    if (!labels.isWhole) this.#firstLooks.begin()
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
        this.#blocks.add(value.key, value.value)
        this.#unreadables.add(entry)
      }
    }
    this.#blocks.loaded()
    retireAll(before)
    this.#tree = tree
    this.#labelIndexes.clear()
    for (const index of this.#fieldIndexes.values()) index.clear()
    visitAll(tree, (entry) => {
      for (const index of this.#fieldIndexes.values()) index.add(entry)
    })
    this.#firstLooks.begin()
  }

  /** The labels and fields of all entries may have changed; `renew` is called for each. */
  renew(renew: (entry: CacheEntry) => void): void {
    this.#labelIndexes.clear()
    this.#tree.visitMade(renew)
    this.#firstLooks.begin()
  }

  second(nowMs: number): void {
    this.#labelIndexes.second(nowMs)
    this.#blocks.free((firstKey, lastKey, use) =>
      this.#tree.visit(firstKey, `${lastKey}\0`, (entry) => {
        use(entry)
        return true
      }),
    )
  }

  /** Returns the previous entry. */
  put(entry: CacheEntry): CacheEntry | undefined {
    entry.readAhead()
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

  /**
   * Entries among which are all that satisfy the equalities, by the index that leaves the fewest. Undefined: no index
   * leaves few.
   */
  indexed(equals: readonly Equality[]): Tree<CacheEntry> | undefined {
    let fewest = Math.max(indexedAnyway, this.#tree.size * this.#options.indexedShareMax)
    let found: (() => Tree<CacheEntry>) | undefined
    for (const { of, name, value } of equals) {
      const index = of === 'field' ? this.#fieldIndexes.get(name) : this.#labelIndexes.ask(name)
      const count = index?.count(value)
      if (!index || count === undefined || count > fewest) continue
      fewest = count
      found = () => index.entriesOf(value)
    }
    return found?.()
  }

  /** Tries to decrypt the unreadable entries again; calls `repaired` when some can be read now. Never rejects. */
  tryAgain(repaired: () => void): Promise<void> {
    return this.#unreadables.tryAgain((values) => {
      for (const [entry, value] of values) {
        this.#removeFromIndexes(entry)
        entry.repair(value)
        this.#addToIndexes(entry)
        this.#storedBytes += entry.storedBytes
      }
      repaired()
    })
  }

  clear(): void {
    this.#unreadables.clear()
    retireAll(this.#tree)
    this.#tree = createTree()
    this.#labelIndexes.clear()
    for (const index of this.#fieldIndexes.values()) index.clear()
    this.#storedBytes = 0
  }

  #replaced(previous: CacheEntry | undefined, current: CacheEntry | undefined): void {
    this.#storedBytes += (current?.storedBytes ?? 0) - (previous?.storedBytes ?? 0)
    if (previous) this.#removeFromIndexes(previous)
    if (current) this.#addToIndexes(current)
    if (!previous) return
    this.#unreadables.delete(previous)
    previous.replaced()
  }

  #addToIndexes(entry: CacheEntry): void {
    for (const index of this.#fieldIndexes.values()) index.add(entry)
    this.#labelIndexes.add(entry)
  }

  #removeFromIndexes(entry: CacheEntry): void {
    for (const index of this.#fieldIndexes.values()) index.remove(entry)
    this.#labelIndexes.remove(entry)
  }
}

/** So few entries are read by their index, whatever share of all they are. */
const indexedAnyway = 16

function retireAll(tree: Tree<CacheEntry>): void {
  tree.visitMade((entry) => entry.retire())
}

function visitAll(tree: Tree<CacheEntry>, visit: (entry: CacheEntry) => void): void {
  tree.visit('', '\uffff', (entry) => {
    visit(entry)
    return true
  })
}
