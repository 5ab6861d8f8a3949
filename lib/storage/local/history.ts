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
export function readableRevision(tables: Tables, asked: Revision = noRevision): Revision {
  const newest = tables.revision()
  if (asked === noRevision) return newest
  if (asked > newest)
    throw new StoreError('future-revision', `revision ${asked} has not happened; the newest is ${newest}`)
  const oldest = tables.compacted()
  if (asked < oldest)
    throw new StoreError('compacted', `revision ${asked} is compacted; the oldest is ${oldest}`, { revision: oldest })
  return asked
}

/** Throws StoreError `compacted` or `future-revision`. */
export function readRange(tables: Tables, options: RangeOptions): RangeResult {
  const revision = readableRevision(tables, options.revision)
  const { start, end, limit = 0, keysOnly = false, countOnly = false } = options
  if (revision < tables.revision()) return cut(pastRevisions(tables, start, end, revision), revision)
  const found: Revision[] = []
  if (countOnly || limit > 0) {
    const count = tables.countHeads(start, end)
    if (!countOnly) collect()
    return result(found, count, revision)
  }
  collect()
  return result(found, found.length, revision)

  function collect(): void {
    tables.visitHeads(start, end, (head) => found.push(head.revision) !== limit)
  }

  function cut(all: Revision[], at: Revision): RangeResult {
    const wanted = limit > 0 ? all.slice(0, limit) : all
    return result(countOnly ? [] : wanted, all.length, at)
  }

  function result(revisions: Revision[], count: number, at: Revision): RangeResult {
    const values = revisions.map((one) => storedValue(existing(tables, one), keysOnly))
    return { values, more: !countOnly && count > values.length, count, revision: at }
  }
}

/** What a key held at a past revision, or holds. Throws StoreError `compacted` or `future-revision`. */
export function readKey(
  tables: Tables,
  key: string,
  asked: Revision | undefined,
): { value: StoredValue | undefined; revision: Revision } {
  const revision = readableRevision(tables, asked)
  const found =
    revision < tables.revision()
      ? pastRevisions(tables, key, `${key}\0`, revision)[0]
      : (tables.head(key)?.revision ?? undefined)
  return { value: found === undefined ? undefined : storedValue(existing(tables, found)), revision }
}

/**
 * The revisions of the keys that existed at `revision`, in order of keys: the heads of today, but for the keys that were
 * written since. The first of those writes says what it replaced.
 */
function pastRevisions(tables: Tables, start: string, end: string, revision: Revision): Revision[] {
  const replaced = new Map<string, Revision>()
  for (let from = asRevision(revision + 1); ; ) {
    const records = tables.records(from, stepRecordsMax)
    for (const { key, previous } of records)
      if (key >= start && key < end && !replaced.has(key)) replaced.set(key, previous)
    const last = records.at(-1)
    if (!last || records.length < stepRecordsMax) break
    from = asRevision(last.revision + 1)
  }
  const found: { key: string; revision: Revision }[] = []
  tables.visitHeads(start, end, (head) => {
    if (!replaced.has(head.key)) found.push(head)
    return true
  })
  for (const [key, previous] of replaced) if (previous !== noRevision) found.push({ key, revision: previous })
  found.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return found.map((one) => one.revision)
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
