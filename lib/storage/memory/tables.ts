import { assert } from '../../base/index.ts'
import { asRevision, type Revision } from '../../object/index.ts'
import { createHeadIndex } from '../local/headindex.ts'
import type { LogRecord, Tables } from '../local/tables.ts'

/** Tables in memory; nothing outlives the process. */
export function createMemoryTables(): Tables {
  const { head, visitHeads, countHeads, due, apply } = createHeadIndex()
  const log = new Map<Revision, LogRecord>()
  // An empty etcd is at revision 1, too.
  let revision = asRevision(1)
  let compacted = asRevision(1)
  let swept = asRevision(1)
  let bytes = 0

  function add(record: LogRecord): void {
    log.set(record.revision, record)
    revision = record.revision
    bytes += record.key.length + record.value.length
    apply(record)
  }

  function remove(removed: Revision): void {
    const record = log.get(removed)
    if (!record) return
    bytes -= record.key.length + record.value.length
    log.delete(removed)
  }

  /** Nothing is copied: values of any size are read in one slice. */
  function records(from: Revision, limit: number): LogRecord[] {
    const found: LogRecord[] = []
    for (let at: number = from; at <= revision && found.length < limit; at++) {
      const record = log.get(asRevision(at))
      if (record) found.push(record)
    }
    return found
  }

  return {
    revision: () => revision,
    compacted: () => compacted,
    swept: () => swept,
    head,
    visitHeads,
    countHeads,
    due,
    record(wanted) {
      const record = log.get(wanted)
      assert(record !== undefined, `storage: record ${wanted} is missing`)
      return record
    },
    records,
    recordHeaders: records,
    async append(records) {
      for (const record of records) add(record)
    },
    async setCompacted(to) {
      compacted = to
    },
    async sweep(removed, to) {
      for (const one of removed) remove(one)
      swept = to
    },
    size: () => ({ endpoint: 'memory', bytes }),
    async close() {},
  }
}
