import type { Revision } from '../../object/index.ts'
import { prefixEnd, type RangeOptions, type RangeResult, type Store, type StoredValue } from '../contract.ts'
import type { Sealing } from '../encryption/sealing.ts'
import type { TableState } from '../storedtable.ts'
import type { ReadMirror } from './readmirror.ts'
import type { SectionTable } from './sectionindex.ts'
import type { MirrorValue } from './value.ts'

/** Values that are read at a time where the mirror lacks them. */
const getsAtOnce = 64
/** A page that lacks more than this share of its values is read as a whole. */
const missingShareMax = 1 / 4

/** Keys that are compared at a time. */
const keysAtOnce = 10_000

export interface TableOptions {
  readonly revision: Revision
  readonly signal: AbortSignal
}

interface Prefix {
  readonly values: readonly MirrorValue[]
  byKey?: ReadonlyMap<string, MirrorValue>
}

/** Ranges whose values are those of a mirror where the store still has the same ones. */
export class MirroredReads {
  readonly #store: Pick<Store, 'get' | 'range'>
  readonly #sealing: Sealing | undefined
  #mirror: ReadMirror | undefined
  readonly #prefixes = new Map<string, Promise<Prefix | undefined>>()

  constructor(store: Pick<Store, 'get' | 'range'>, sealing: Sealing | undefined) {
    this.#store = store
    this.#sealing = sealing
  }

  /** The store has the history of the mirror. */
  use(mirror: ReadMirror): void {
    this.#mirror = mirror
  }

  /**
   * All values of a prefix at a revision of the store, where most are those of the mirror and need no decryption. Its reader
   * may release them, so later ranges are the store's. Rejects with StoreError.
   */
  async table(prefix: string, { revision, signal }: TableOptions): Promise<TableState | undefined> {
    const mirror = this.#mirror
    const { isSealed, table } = mirror?.sections.get(prefix) ?? {}
    if (!mirror || !table || isSealed || table.hasAbsent) return undefined
    if (this.#sealing && table.size > 0 && !this.#sealing.isPlain(table.keyAt(0))) return undefined
    const isItsOwn = revision === mirror.footer.revision
    const state = isItsOwn ? { table, removed: [], changed: [] } : await this.#compared(table, prefix, revision, signal)
    if (state) this.#prefixes.set(prefix, Promise.resolve(undefined))
    return state
  }

  release(): void {
    this.#mirror = undefined
    this.#prefixes.clear()
  }

  /**
   * The answer to a range: all of it, whatever the limit, at the revision of the mirror; else as the store's. Undefined: the
   * mirror does not have the range.
   */
  async range(options: RangeOptions): Promise<RangeResult | undefined> {
    const mirror = this.#mirror
    if (!mirror || options.keysOnly || options.countOnly) return undefined
    const { start, end, revision } = options
    const prefix = prefixOf(start, end)
    const of = prefix === undefined ? undefined : await this.#prefix(mirror, prefix)
    if (!of) return undefined
    if (revision === mirror.footer.revision && start === prefix) return await this.#whole(of, revision, options)
    return await this.#spliced(of, options)
  }

  #prefix(mirror: ReadMirror, prefix: string): Promise<Prefix | undefined> {
    let found = this.#prefixes.get(prefix)
    if (!found) this.#prefixes.set(prefix, (found = this.#open(mirror, prefix)))
    return found
  }

  async #open(mirror: ReadMirror, prefix: string): Promise<Prefix | undefined> {
    const section = mirror.sections.get(prefix)
    if (!section) return undefined
    const values = section.table.values()
    // All were encrypted at once: where keys have changed meanwhile, the first and the last show it.
    const sealed = values.filter(({ isAbsent }) => !isAbsent)
    for (const value of [sealed[0], sealed[sealed.length - 1]])
      if (value && this.#sealing && !(await this.#sealing.isCurrent(value.key, value.value))) return undefined
    return { values }
  }

  async #whole({ values }: Prefix, revision: Revision, options: RangeOptions): Promise<RangeResult> {
    const filled = await this.#filled(values, revision, options)
    return { values: filled, more: false, count: filled.length, revision }
  }

  /** The keys are the store's, and the values those of the mirror that have the same revision. */
  async #spliced(of: Prefix, options: RangeOptions): Promise<RangeResult> {
    of.byKey ??= new Map(of.values.map((value) => [value.key, value]))
    const { byKey } = of
    const page = await this.#store.range({ ...options, keysOnly: true })
    const values = page.values.map((value): MirrorValue => {
      const known = byKey.get(value.key)
      return known?.modRevision === value.modRevision ? known : { ...value, isAbsent: true }
    })
    const missing = values.filter(({ isAbsent }) => isAbsent).length
    if (missing > getsAtOnce && missing > values.length * missingShareMax)
      return await this.#store.range({ ...options, revision: page.revision })
    return { ...page, values: await this.#filled(values, page.revision, options) }
  }

  /** Compares the keys of the store. Undefined: much has changed. */
  async #compared(
    table: SectionTable,
    prefix: string,
    revision: Revision,
    signal: AbortSignal,
  ): Promise<TableState | undefined> {
    const removed: string[] = []
    const others: MirrorValue[] = []
    let index = 0
    const keyAt = (): string | undefined => (index < table.size ? table.keyAt(index) : undefined)
    let known = keyAt()
    const options = { end: prefixEnd(prefix), revision, limit: keysAtOnce, keysOnly: true, uncounted: true, signal }
    for (let start = prefix; ; ) {
      const page = await this.#store.range({ ...options, start })
      for (const value of page.values) {
        for (; known !== undefined && known < value.key; index++, known = keyAt()) removed.push(known)
        const isKnown = known === value.key
        if (!isKnown || table.revisionAt(index) !== value.modRevision) others.push({ ...value, isAbsent: true })
        if (!isKnown) continue
        index++
        known = keyAt()
      }
      const last: StoredValue | undefined = page.values[page.values.length - 1]
      if (!page.more || !last) break
      start = `${last.key}\0`
    }
    for (; known !== undefined; index++, known = keyAt()) removed.push(known)
    const differences = removed.length + others.length
    if (differences > getsAtOnce && differences > table.size * missingShareMax) return undefined
    return { table, removed, changed: await this.#filled(others, revision, { signal }) }
  }

  async #filled(
    values: readonly MirrorValue[],
    revision: Revision,
    { signal }: Pick<RangeOptions, 'signal'>,
  ): Promise<readonly StoredValue[]> {
    const absent = values.filter(({ isAbsent }) => isAbsent)
    if (absent.length === 0) return values
    const read = new Map<string, StoredValue>()
    const readOnes = async (): Promise<void> => {
      for (let next = absent.pop(); next; next = absent.pop()) {
        const { value } = await this.#store.get(next.key, { revision, ...(signal && { signal }) })
        if (value) read.set(next.key, value)
      }
    }
    await Promise.all(Array.from({ length: getsAtOnce }, readOnes))
    return values.flatMap((value) => (value.isAbsent ? (read.get(value.key) ?? []) : [value]))
  }
}

/** The prefix of a whole resource, or of the rest of it, such as `/registry/pods/`; undefined: another range. */
function prefixOf(start: string, end: string): string | undefined {
  // The end is the prefix with its last character, the slash, raised by one.
  if (!end.endsWith('0')) return undefined
  const prefix = `${end.slice(0, -1)}/`
  return start.startsWith(prefix) ? prefix : undefined
}
