import type { Revision } from '../../object/index.ts'
import type { StoreEvent } from '../contract.ts'

/** One write in the log; it is also the event of watches. */
export interface LogRecord extends StoreEvent {
  /** The revision that this one replaces or deletes; 0: the key didn't exist. */
  readonly previous: Revision
  /** Wall clock; 0: never. */
  readonly expiresAtMs: number
}

/** A record without its value. */
export type RecordHeader = Pick<LogRecord, 'type' | 'key' | 'revision' | 'previous'>

/** Where the newest state of a key is. Keys that don't exist have no head. */
export interface Head {
  readonly key: string
  readonly revision: Revision
  readonly createRevision: Revision
  readonly expiresAtMs: number
}

/**
 * The data of a local store: a head per key, and a log with a record per revision, from which compaction removes the
 * records that no readable revision shows. Reads are synchronous; reads without a pause in between see one state.
 */
export interface Tables {
  /** The revision of the newest record; 1 when nothing was ever written, as in etcd. */
  revision(): Revision
  /** The oldest readable revision. */
  compacted(): Revision
  /** Where the sweep after the last compaction continues: no record before it is to be removed. */
  swept(): Revision
  head(key: string): Head | undefined
  /** Heads in order of keys, until `visit` returns false. */
  visitHeads(start: string, end: string, visit: (head: Head) => boolean): void
  countHeads(start: string, end: string): number
  /** The record of a revision that a head or a later record names; throws when it is missing. */
  record(revision: Revision): LogRecord
  /**
   * Records in order from a revision on: at most `limit`, fewer where their values are large, and at least one unless
   * the revision is beyond the newest.
   */
  records(from: Revision, limit: number): LogRecord[]
  /** Headers in order from a revision on, at most `limit`. */
  recordHeaders(from: Revision, limit: number): RecordHeader[]
  /** Keys that have expired, at most `limit`. */
  due(nowMs: number, limit: number): Head[]
  /** Adds records in order, all or none; durable once it resolves. Rejects with StoreError. */
  append(records: readonly LogRecord[]): Promise<void>
  setCompacted(revision: Revision): Promise<void>
  /** Removes records, and stores the progress of the sweep. */
  sweep(removed: readonly Revision[], swept: Revision): Promise<void>
  size(): { endpoint: string; bytes: number }
  close(): Promise<void>
}
