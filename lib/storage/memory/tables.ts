import { assert, createTree } from '../../base/index.ts'
import { asRevision, type Revision } from '../../object/index.ts'
import type { Head, LogRecord, Tables } from '../local/tables.ts'

/** Tables in memory; nothing outlives the process. */
export function createMemoryTables(): Tables {
  const heads = createTree<Head>()
  const log = new Map<Revision, LogRecord>()
  const expiring = new Map<string, Head>()
  // An empty etcd is at revision 1 as well.
  let revision = asRevision(1)
  let compacted = asRevision(1)
  let swept = asRevision(1)
  let bytes = 0

  function add(record: LogRecord): void {
    const { key, createRevision, expiresAtMs } = record
    log.set(record.revision, record)
    revision = record.revision
    bytes += key.length + record.value.length
    expiring.delete(key)
    if (record.type === 'delete') return void heads.delete(key)
    const head = { key, revision, createRevision, expiresAtMs }
    heads.set(head)
    if (expiresAtMs > 0) expiring.set(key, head)
  }

  function remove(removed: Revision): void {
    const record = log.get(removed)
    if (!record) return
    bytes -= record.key.length + record.value.length
    log.delete(removed)
  }

  return {
    revision: () => revision,
    compacted: () => compacted,
    swept: () => swept,
    head: (key) => heads.get(key),
    visitHeads: (start, end, visit) => heads.visit(start, end, visit),
    countHeads: (start, end) => Math.max(0, heads.rank(end) - heads.rank(start)),
    record(wanted) {
      const record = log.get(wanted)
      assert(record !== undefined, `storage: record ${wanted} is missing`)
      return record
    },
    records(from, limit) {
      const found: LogRecord[] = []
      for (let at: number = from; at <= revision && found.length < limit; at++) {
        const record = log.get(asRevision(at))
        if (record) found.push(record)
      }
      return found
    },
    due(nowMs, limit) {
      const found: Head[] = []
      for (const head of expiring.values()) {
        if (found.length >= limit) break
        if (head.expiresAtMs <= nowMs) found.push(head)
      }
      return found
    },
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
