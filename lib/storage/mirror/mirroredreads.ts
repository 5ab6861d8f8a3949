import type { Revision } from '../../object/index.ts'
import type { RangeOptions, RangeResult, Store, StoredValue } from '../contract.ts'
import type { Sealing } from '../encryption/sealing.ts'
import type { StoredTable } from '../storedtable.ts'
import type { ReadMirror } from './readmirror.ts'
import type { MirrorValue } from './value.ts'

/** Values that are read at a time where the mirror lacks them. */
const getsAtOnce = 64
/** A page that lacks more than this share of its values is read as a whole. */
const missingShareMax = 1 / 4

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
   * All values of a prefix at the revision of the mirror, where these need neither the store nor decryption. Its reader may
   * release them, so later ranges are the store's.
   */
  table(prefix: string): StoredTable | undefined {
    const { isSealed, table } = this.#mirror?.sections.get(prefix) ?? {}
    if (!table || isSealed || table.hasAbsent) return undefined
    if (this.#sealing && table.size > 0 && !this.#sealing.isPlain(table.keyAt(0))) return undefined
    this.#prefixes.set(prefix, Promise.resolve(undefined))
    return table
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

  async #filled(
    values: readonly MirrorValue[],
    revision: Revision,
    { signal }: RangeOptions,
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
