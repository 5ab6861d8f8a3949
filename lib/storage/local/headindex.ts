import { createTree } from '../../base/index.ts'
import type { Head, LogRecord, Tables } from './tables.ts'

/** The heads of a store's keys in memory, sorted by key, and those that expire. */
export interface HeadIndex extends Pick<Tables, 'head' | 'visitHeads' | 'countHeads' | 'due'> {
  add(head: Head): void
  /** Stores the head that a record makes, or removes it for a deletion. */
  apply(record: LogRecord): void
}

export function createHeadIndex(): HeadIndex {
  const heads = createTree<Head>()
  const expiring = new Map<string, Head>()

  function add(head: Head): void {
    heads.set(head)
    expiring.delete(head.key)
    if (head.expiresAtMs > 0) expiring.set(head.key, head)
  }

  return {
    add,
    apply({ type, key, revision, createRevision, expiresAtMs }) {
      if (type === 'put') return add({ key, revision, createRevision, expiresAtMs })
      heads.delete(key)
      expiring.delete(key)
    },
    head: (key) => heads.get(key),
    visitHeads: (start, end, visit) => heads.visit(start, end, visit),
    countHeads: (start, end) => Math.max(0, heads.rank(end) - heads.rank(start)),
    due(nowMs, limit) {
      const found: Head[] = []
      for (const head of expiring.values()) {
        if (found.length >= limit) break
        if (head.expiresAtMs <= nowMs) found.push(head)
      }
      return found
    },
  }
}
