import { asRevision, noRevision, type Revision } from '../../object/index.ts'
import type { Head, LogRecord, Tables } from './tables.ts'

/** All keys of a store at one revision; values are shared with the store, which never changes them. */
export interface StoreContent {
  readonly revision: Revision
  readonly records: ReadonlyMap<string, LogRecord>
  readonly takenAtMs: number
}

const noValue = new Uint8Array(0)
/** Beyond all keys. */
const end = '\uffff'

export function contentOf(tables: Tables, nowMs: number): StoreContent {
  const records = new Map<string, LogRecord>()
  tables.visitHeads('', end, ({ key, revision }) => {
    records.set(key, tables.record(revision))
    return true
  })
  return { revision: tables.revision(), records, takenAtMs: nowMs }
}

/**
 * The writes that bring a store back to an earlier content, each with a revision after the newest. A key that was deleted
 * and created again in between is deleted first: its watchers never see one object turn into another. Keys that expire
 * have as much time left as they had.
 */
export function planRestore(tables: Tables, { records, takenAtMs }: StoreContent, nowMs: number): LogRecord[] {
  const plan: LogRecord[] = []
  let revision = tables.revision()
  const next = (): Revision => (revision = asRevision(revision + 1))
  const remove = (key: string, previous: Revision): void => {
    const none = { value: noValue, createRevision: noRevision, expiresAtMs: 0 }
    plan.push({ type: 'delete', key, revision: next(), previous, ...none })
  }
  for (const head of headsOf(tables)) if (!records.has(head.key)) remove(head.key, head.revision)
  for (const [key, record] of records) {
    const head = tables.head(key)
    if (head && isSame(tables, head, record)) continue
    const isOther = head !== undefined && head.createRevision > record.revision
    if (isOther) remove(key, head.revision)
    const kept = isOther ? undefined : head
    const expiresAtMs = record.expiresAtMs === 0 ? 0 : record.expiresAtMs - takenAtMs + nowMs
    const at = next()
    plan.push({
      ...record,
      revision: at,
      createRevision: kept?.createRevision ?? at,
      previous: kept?.revision ?? noRevision,
      expiresAtMs,
    })
  }
  return plan
}

function headsOf(tables: Tables): Head[] {
  const heads: Head[] = []
  tables.visitHeads('', end, (head) => heads.push(head) > 0)
  return heads
}

function isSame(tables: Tables, head: Head, record: LogRecord): boolean {
  return head.revision === record.revision || Buffer.compare(tables.record(head.revision).value, record.value) === 0
}
