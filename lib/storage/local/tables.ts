import type { Revision } from '../../object/index.ts'
import type { StoreEvent } from '../contract.ts'

/** One write as the log keeps it; it is also the event that watches get. */
export interface LogRecord extends StoreEvent {
  /** The revision that this one replaces or deletes; 0: the key didn't exist. */
  readonly previous: Revision
  /** Wall clock; 0: never. */
  readonly expiresAtMs: number
}

/** A record without its value. */
export type RecordHeader = Pick<LogRecord, 'type' | 'key' | 'revision' | 'previous'>

/** Where the newest state of a key is. Keys that don't exist have none. */
export interface Head {
  readonly key: string
  readonly revision: Revision
  readonly createRevision: Revision
  readonly expiresAtMs: number
}

/**
 * The data of a local store: a head per key, and a log with a record per revision, from which compaction removes the
 * records that no readable revision shows. Reads are synchronous; those made without a pause between them see one
 * state.
 */
export interface Tables {
  /** The revision of the newest record; 1 when nothing was ever written, as in etcd. */
  revision(): Revision
  /** The oldest readable revision. */
  compacted(): Revision
  /** Where the sweep after the last compaction goes on: records before it hold nothing to be removed. */
  swept(): Revision
  head(key: string): Head | undefined
  /** Heads in order of keys, until `visit` answers false. */
  visitHeads(start: string, end: string, visit: (head: Head) => boolean): void
  countHeads(start: string, end: string): number
  /** The record of a revision that a head or a later record names; throws when it isn't there. */
  record(revision: Revision): LogRecord
  /**
   * Records in order from a revision on, `limit` at most, and fewer where their values are large; one at least, unless the
   * revision is beyond the newest.
   */
  records(from: Revision, limit: number): LogRecord[]
  /** Headers in order from a revision on, `limit` at most. */
  recordHeaders(from: Revision, limit: number): RecordHeader[]
  /** Keys whose time has come, `limit` at most. */
  due(nowMs: number, limit: number): Head[]
  /** Adds records in order, all or none; durable once it resolves. Rejects with StoreError. */
  append(records: readonly LogRecord[]): Promise<void>
  setCompacted(revision: Revision): Promise<void>
  /** Removes records, and notes how far the sweep has come. */
  sweep(removed: readonly Revision[], swept: Revision): Promise<void>
  size(): { endpoint: string; bytes: number }
  close(): Promise<void>
}
