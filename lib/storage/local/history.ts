import { assert, type PausableWork } from '../../base/index.ts'
import { asRevision, noRevision, type Revision } from '../../object/index.ts'
import { type RangeOptions, type RangeResult, type StoredValue, StoreError } from '../contract.ts'
import type { PastKeys, WrittenSince } from './pastkeys.ts'
import type { LogRecord, Tables } from './tables.ts'

const empty = new Uint8Array(0)
/** Records that are swept in one slice. */
const sweepRecordsMax = 500

/** A key as its record left it. */
export function storedValue(record: LogRecord, keysOnly = false): StoredValue {
  const { key, value, createRevision, revision } = record
  return { key, value: keysOnly ? empty : value, createRevision, modRevision: revision }
}

/** The revision to read: the requested one, else the newest. Throws StoreError `compacted` or `future-revision`. */
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

/** Reads a past revision in slices. Throws StoreError `compacted` or `future-revision`. */
export function* readRange(tables: Tables, options: RangeOptions, past: PastKeys): PausableWork<RangeResult> {
  const revision = readableRevision(tables, options.revision)
  const { start, end, limit = 0, keysOnly = false, countOnly = false, uncounted = false } = options
  const since = revision < tables.revision() ? yield* writtenSince(tables, revision, past) : undefined
  const wanted = countOnly ? 0 : limit > 0 ? limit : Number.POSITIVE_INFINITY
  const found = wanted === 0 ? [] : revisionsOf(tables, since, start, end, wanted + 1)
  const more = found.length > wanted
  const values = found.slice(0, wanted).map((one) => storedValue(existing(tables, one), keysOnly))
  const isWhole = wanted === Number.POSITIVE_INFINITY || (uncounted && !countOnly) || (!more && !countOnly)
  const count = isWhole ? found.length : (since?.count(start, end) ?? tables.countHeads(start, end))
  return { values, more, count, revision }
}

/** The value of a key: now, or in slices at a past revision. Throws StoreError `compacted` or `future-revision`. */
export function* readKey(
  tables: Tables,
  key: string,
  asked: Revision | undefined,
  past: PastKeys,
): PausableWork<{ value: StoredValue | undefined; revision: Revision }> {
  const revision = readableRevision(tables, asked)
  const since = revision < tables.revision() ? yield* writtenSince(tables, revision, past) : undefined
  const found = since ? since.revisions(key, `${key}\0`, 1)[0] : tables.head(key)?.revision
  return { value: found === undefined ? undefined : storedValue(existing(tables, found)), revision }
}

/** The keys written since, once the log is read to its end: the caller must not pause after it. */
function* writtenSince(tables: Tables, revision: Revision, past: PastKeys): PausableWork<WrittenSince> {
  const since = past.since(revision)
  while (!since.readOn()) yield
  // The sweep may have removed the records that it names between the slices.
  readableRevision(tables, revision)
  return since
}

/** The revisions of the first `limit` keys, in order. */
function revisionsOf(
  tables: Tables,
  since: WrittenSince | undefined,
  start: string,
  end: string,
  limit: number,
): Revision[] {
  if (since) return since.revisions(start, end, limit)
  const found: Revision[] = []
  tables.visitHeads(start, end, ({ revision }) => found.push(revision) < limit)
  return found
}

function existing(tables: Tables, revision: Revision): LogRecord {
  const record = tables.record(revision)
  assert(record.type === 'put', `storage: record ${revision} is no put`)
  return record
}

/**
 * The next step of removing what can't be read any more: a record that a later one up to `compacted` replaced, and a
 * deletion before it. (Worked example: puts at 5 and 7, deletion at 9, compaction at 9: the records of 5 and 7 are
 * removed, that of 9 stays as a watch may begin there; a later compaction at 12 removes it.)
 */
export function planSweep(tables: Tables): { removed: Revision[]; swept: Revision } | undefined {
  const from = tables.swept()
  const compacted = tables.compacted()
  if (from >= compacted) return undefined
  const headers = tables.recordHeaders(from, sweepRecordsMax)
  const removed: Revision[] = []
  for (const { type, revision, previous } of headers) {
    if (revision > compacted) break
    if (previous !== noRevision) removed.push(previous)
    if (type === 'delete' && revision < compacted) removed.push(revision)
  }
  const last = headers.at(-1)
  const finished = headers.length < sweepRecordsMax || !last || last.revision >= compacted
  return { removed, swept: finished ? compacted : asRevision(last.revision + 1) }
}
