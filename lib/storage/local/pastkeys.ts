import { createTree } from '../../base/index.ts'
import { asRevision, noRevision, type Revision } from '../../object/index.ts'
import type { Tables } from './tables.ts'

/** A key that was written after a past revision. */
interface WrittenKey {
  readonly key: string
  /** Its revision at that past revision; none: it did not exist. */
  readonly previous: Revision
  /** It exists now. */
  exists: boolean
}

/** Records that are read in one slice: some ms. */
const sliceRecords = 500
/** Keys that are kept between two reads. */
const keptMax = 65_536

/**
 * The keys that were written after a past revision. All pages of a list at one revision, and all prefixes that a cache
 * loads, need the same keys: the log is read once for them, and later only where it has grown.
 */
export class PastKeys {
  readonly #tables: Tables
  #kept: WrittenSince | undefined

  constructor(tables: Tables) {
    this.#tables = tables
  }

  since(revision: Revision): WrittenSince {
    if (this.#kept?.revision === revision && this.#kept.size <= keptMax) return this.#kept
    this.#kept = new WrittenSince(this.#tables, revision)
    return this.#kept
  }

  /** Nothing reads revisions before this one any more. */
  compact(revision: Revision): void {
    if (this.#kept && this.#kept.revision < revision) this.#kept = undefined
  }
}

/** The keys that were written after one revision, up to where the log was read. */
export class WrittenSince {
  readonly revision: Revision
  readonly #tables: Tables
  readonly #keys = createTree<WrittenKey>()
  #read: Revision

  constructor(tables: Tables, revision: Revision) {
    this.revision = revision
    this.#tables = tables
    this.#read = revision
  }

  get size(): number {
    return this.#keys.size
  }

  /**
   * Reads the next slice of the log. Returns whether it was the end: the remaining methods are valid then, until the
   * next write.
   */
  readOn(): boolean {
    const headers = this.#tables.recordHeaders(asRevision(this.#read + 1), sliceRecords)
    for (const { key, type, previous } of headers) {
      const known = this.#keys.get(key)
      if (known) known.exists = type === 'put'
      else this.#keys.set({ key, previous, exists: type === 'put' })
    }
    this.#read = headers.at(-1)?.revision ?? this.#read
    return headers.length === 0 || this.#read >= this.#tables.revision()
  }

  /** The revisions of the first `limit` keys that existed in a range then, in their order. */
  revisions(start: string, end: string, limit: number): Revision[] {
    const found: { readonly key: string; readonly revision: Revision }[] = []
    this.#keys.visit(start, end, ({ key, previous }) => {
      if (previous !== noRevision) found.push({ key, revision: previous })
      return found.length < limit
    })
    // A full page needs no key beyond its last one.
    const last = found.length < limit ? end : (found.at(-1)?.key ?? end)
    let unchanged = 0
    this.#tables.visitHeads(start, last, (head) => {
      if (this.#keys.get(head.key)) return true
      found.push(head)
      return ++unchanged < limit
    })
    return found
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .slice(0, limit)
      .map(({ revision }) => revision)
  }

  /** How many keys existed in a range then. */
  count(start: string, end: string): number {
    let count = this.#tables.countHeads(start, end)
    this.#keys.visit(start, end, ({ previous, exists }) => {
      count += (previous === noRevision ? 0 : 1) - (exists ? 1 : 0)
      return true
    })
    return count
  }
}
