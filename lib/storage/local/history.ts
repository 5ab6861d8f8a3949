import { assert } from '../../base/index.ts'
import { asRevision, noRevision, type Revision } from '../../object/index.ts'
import { type RangeOptions, type RangeResult, type StoredValue, StoreError } from '../contract.ts'
import type { LogRecord, Tables } from './tables.ts'

const empty = new Uint8Array(0)
/** Records that are looked at in one go. */
const stepRecordsMax = 1000

/** A key as its record left it. */
export function storedValue(record: LogRecord, keysOnly = false): StoredValue {
  const { key, value, createRevision, revision } = record
  return { key, value: keysOnly ? empty : value, createRevision, modRevision: revision }
}

/** The revision to be read: that asked for, else the newest. Throws StoreError `compacted` or `future-revision`. */
function readableRevision(tables: Tables, asked: Revision = noRevision): Revision {
  const newest = tables.revision()
  if (asked === noRevision) return newest
  if (asked > newest)
    throw new StoreError('future-revision', `revision ${asked} has not happened; the newest is ${newest}`)
  const oldest = tables.compacted()
  if (asked < oldest)
    throw new StoreError('compacted', `revision ${asked} is compacted; the oldest is ${oldest}`, { revision: oldest })
  return asked
}

/** Throws StoreError `compacted` or `future-revision`. `past` remembers what pages of one list at a past revision share. */
export function readRange(tables: Tables, options: RangeOptions, past: PastKeys): RangeResult {
  const revision = readableRevision(tables, options.revision)
  const { start, end, limit = 0, keysOnly = false, countOnly = false, uncounted = false } = options
  const isPast = revision < tables.revision()
  const replaced = isPast ? past.replaced(tables, revision).filter(({ key }) => key >= start && key < end) : []
  const wanted = countOnly ? 0 : limit > 0 ? limit : Number.POSITIVE_INFINITY
  const found = wanted === 0 ? [] : pastRevisions(tables, start, end, replaced, wanted + 1)
  const more = found.length > wanted
  const values = found.slice(0, wanted).map((one) => storedValue(existing(tables, one), keysOnly))
  const isWhole = wanted === Number.POSITIVE_INFINITY || (uncounted && !countOnly) || (!more && !countOnly)
  const count = isWhole ? found.length : countPast(tables, start, end, replaced)
  return { values, more, count, revision }
}

/** The value of a key now or at a past revision. Throws StoreError `compacted` or `future-revision`. */
export function readKey(
  tables: Tables,
  key: string,
  asked: Revision | undefined,
): { value: StoredValue | undefined; revision: Revision } {
  const revision = readableRevision(tables, asked)
  const found =
    revision < tables.revision() ? pastRevisionOf(tables, key, revision) : (tables.head(key)?.revision ?? undefined)
  return { value: found === undefined ? undefined : storedValue(existing(tables, found)), revision }
}

function pastRevisionOf(tables: Tables, key: string, revision: Revision): Revision | undefined {
  const replaced = replacedSince(tables, revision).filter((one) => one.key === key)
  return pastRevisions(tables, key, `${key}\0`, replaced, 1)[0]
}

/** A key that was written after a past revision, and its revision then (none: it did not exist). */
interface Replaced {
  readonly key: string
  readonly previous: Revision
}

/** Keys that are kept between two reads, at most. */
const replacedMax = 16_384

/**
 * The keys that were written after a past revision, in order. The pages of a list at one revision, and all prefixes as a
 * cache loads them, ask for the same: they are found once, by the records since.
 */
export class PastKeys {
  #revision: Revision = noRevision
  #newest: Revision = noRevision
  #replaced: readonly Replaced[] = []

  replaced(tables: Tables, revision: Revision): readonly Replaced[] {
    const newest = tables.revision()
    if (revision === this.#revision && newest === this.#newest) return this.#replaced
    const replaced = replacedSince(tables, revision)
    if (replaced.length > replacedMax) return replaced
    this.#revision = revision
    this.#newest = newest
    this.#replaced = replaced
    return replaced
  }
}

/** The first write of a key after `revision` says what it replaced. */
function replacedSince(tables: Tables, revision: Revision): Replaced[] {
  const replaced = new Map<string, Revision>()
  for (let from = asRevision(revision + 1); ; ) {
    const records = tables.records(from, stepRecordsMax)
    for (const { key, previous } of records) if (!replaced.has(key)) replaced.set(key, previous)
    const last = records.at(-1)
    if (!last || records.length < stepRecordsMax) break
    from = asRevision(last.revision + 1)
  }
  return Array.from(replaced, ([key, previous]) => ({ key, previous })).sort(byKey)
}

function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
}

/** The revisions of the first `limit` keys that existed then, in order: the heads of today, but for the keys written since. */
function pastRevisions(
  tables: Tables,
  start: string,
  end: string,
  replaced: readonly Replaced[],
  limit: number,
): Revision[] {
  const changed = new Set(replaced.map(({ key }) => key))
  const found: { key: string; revision: Revision }[] = []
  tables.visitHeads(start, end, (head) => {
    if (changed.has(head.key)) return true
    found.push(head)
    return found.length < limit
  })
  if (replaced.length === 0) return found.map(({ revision }) => revision)
  for (const { key, previous } of replaced) if (previous !== noRevision) found.push({ key, revision: previous })
  return found
    .sort(byKey)
    .slice(0, limit)
    .map(({ revision }) => revision)
}

function countPast(tables: Tables, start: string, end: string, replaced: readonly Replaced[]): number {
  let count = tables.countHeads(start, end)
  for (const { key, previous } of replaced) {
    if (previous !== noRevision) count++
    if (tables.head(key)) count--
  }
  return count
}

function existing(tables: Tables, revision: Revision): LogRecord {
  const record = tables.record(revision)
  assert(record.type === 'put', `storage: record ${revision} is no put`)
  return record
}

/**
 * The next step of removing what can't be read any more: a record that a later one up to `compacted` replaced, and a
 * deletion before it. (Worked example: puts at 5 and 7, deletion at 9, compaction at 9: the records of 5 and 7 go, that
 * of 9 stays as a watch may begin there; a later compaction at 12 takes it.)
 */
export function planSweep(tables: Tables): { removed: Revision[]; swept: Revision } | undefined {
  const from = tables.swept()
  const compacted = tables.compacted()
  if (from >= compacted) return undefined
  const records = tables.records(from, stepRecordsMax).filter((record) => record.revision <= compacted)
  const removed: Revision[] = []
  for (const record of records) {
    if (record.previous !== noRevision) removed.push(record.previous)
    if (record.type === 'delete' && record.revision < compacted) removed.push(record.revision)
  }
  const last = records.at(-1)
  const finished = records.length < stepRecordsMax || !last || last.revision >= compacted
  return { removed, swept: finished ? compacted : asRevision(last.revision + 1) }
}
