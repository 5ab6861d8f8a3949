import type { Revision } from '../object/index.ts'

/**
 * One key as stored. `value` is immutable. It owns its memory, or shares a block of about a mebibyte with other values of
 * the same range. No transport writes to that memory later.
 */
export interface StoredValue {
  readonly key: string
  readonly value: Uint8Array
  readonly createRevision: Revision
  readonly modRevision: Revision
  /** Set when the value can't be decrypted; `value` is empty then. */
  readonly unreadable?: UnreadableValue | undefined
  /**
   * The configuration of today would encrypt the value in another way: even an update that changes nothing is written.
   */
  readonly stale?: boolean
  /** The store holds another form of the same object: even an update that changes nothing is written. */
  readonly isAnotherForm?: boolean
}

export interface UnreadableValue {
  /** An error for clients; it holds nothing of the value. */
  readonly error: Error
  /**
   * Tries to decrypt once more, as keys or key services may be available again. Undefined: still impossible. Never
   * rejects.
   */
  again(): Promise<Uint8Array | undefined>
}

export interface ReadOptions {
  signal?: AbortSignal
  /** Read at this past revision; fails with `compacted` or `future-revision`. */
  revision?: Revision
}

export interface RangeOptions extends ReadOptions {
  /** First key, inclusive. */
  start: string
  /** First key beyond, exclusive. */
  end: string
  /** 0: no limit. */
  limit?: number
  /** Leaves the values empty. */
  keysOnly?: boolean
  /** Answers `count` alone. */
  countOnly?: boolean
  /**
   * With a limit: the store may leave `count` at what it knows without counting, which takes time in proportion to the
   * range.
   */
  uncounted?: boolean
}

export interface RangeResult {
  readonly values: readonly StoredValue[]
  /** Keys exist beyond the limit. */
  readonly more: boolean
  /** Number of keys in the whole range, whatever the limit (but see `uncounted`). */
  readonly count: number
  /** The revision that the answer shows: the requested one, else the store's at the time of the read. */
  readonly revision: Revision
}

/** A refused write changed nothing; `current` is the state that refused it (undefined: the key does not exist). */
export type WriteResult =
  | { readonly ok: true; readonly revision: Revision }
  | { readonly ok: false; readonly current: StoredValue | undefined; readonly revision: Revision }

export interface StoreWriteOptions {
  signal?: AbortSignal
  /** The store deletes the key after this time without another write. */
  ttlSeconds?: number
}

export interface StoreEvent {
  readonly type: 'put' | 'delete'
  readonly key: string
  /** The value of a put; empty for a delete. */
  readonly value: Uint8Array
  /** Equal to `revision` when the put created the key; 0 for a delete. */
  readonly createRevision: Revision
  readonly revision: Revision
  readonly unreadable?: UnreadableValue | undefined
}

export interface StoreWatchOptions {
  start: string
  end: string
  /** The first revision that is reported, inclusive. */
  fromRevision: Revision
}

export interface StoreWatchSink {
  /**
   * Events in order of revision, each once; all events of one revision come in one call. The store survives broken
   * connections and continues at the next revision.
   */
  onEvents(events: readonly StoreEvent[]): void
  /** Everything up to `revision` has been delivered. */
  onProgress(revision: Revision): void
  /** The connection has broken, and the watch continues on another one. Only of a store behind connections. */
  onInterrupted?(): void
  /** The watch has ended: `compacted` (list again, the history was removed) or `closed`. Nothing follows. */
  onEnd(error: StoreError): void
}

export interface StoreWatch {
  /** Requests an early onProgress; false when the store can't (an etcd with the progress fault). */
  requestProgress(): boolean
  close(): void
}

/**
 * A key-value store with revisions, the semantics of etcd: every write has its own revision, reads are linearizable, an
 * answered write is durable. Implementations: etcd, embedded, memory; one contract suite covers them.
 */
export interface Store {
  readonly name: 'etcd' | 'embedded' | 'memory'
  get(key: string, options?: ReadOptions): Promise<{ value: StoredValue | undefined; revision: Revision }>
  range(options: RangeOptions): Promise<RangeResult>
  /** Refused when the key exists. */
  create(key: string, value: Uint8Array, options?: StoreWriteOptions): Promise<WriteResult>
  /** Refused unless the key's mod revision is `expected`. */
  update(key: string, value: Uint8Array, expected: Revision, options?: StoreWriteOptions): Promise<WriteResult>
  /** Refused unless the key's mod revision is `expected`. `revision` is that of the deletion. */
  delete(key: string, expected: Revision, options?: { signal?: AbortSignal }): Promise<WriteResult>
  /** The store's revision now, linearizable: at least that of every write answered before the call. */
  currentRevision(options?: { signal?: AbortSignal }): Promise<Revision>
  /** The current revision without waiting. Only a store in this process has it. */
  revisionNow?(): Revision
  watch(options: StoreWatchOptions, sink: StoreWatchSink): StoreWatch
  /** Makes history before `revision` unreadable. Compacting to an earlier revision again is no error. */
  compact(revision: Revision): Promise<void>
  /** Rejects when the store can't answer within the time. */
  ping(options: { timeoutMs: number }): Promise<void>
  /** The newest revision that is known to be compacted; `noRevision`: none is. */
  compactedRevision(): Revision
  /** Its servers, those that no option names among them, or its file. One that does not answer is no error. */
  members(): Promise<readonly StoreMember[]>
  close(): Promise<void>
}

export interface StoreMember {
  readonly endpoint: string
  /** Size of its database; undefined: it does not answer. */
  readonly bytes: number | undefined
  readonly isLeader: boolean
}

export type StoreErrorCode =
  /** The requested revision is compacted; `revision` is the oldest readable one where known. */
  | 'compacted'
  /** The requested revision has not happened yet. */
  | 'future-revision'
  /** No server answered in time, or the connection broke: a write may or may not have happened. */
  | 'unavailable'
  /** The request or value is larger than the store accepts. */
  | 'too-large'
  /** The store is out of space. */
  | 'no-space'
  /** The value can't be encrypted; the message is for clients. */
  | 'not-encrypted'
  /** The caller's signal aborted. */
  | 'aborted'
  | 'closed'
  | 'internal'

/** The error of every rejection of a Store. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode
  readonly revision: Revision | undefined
  constructor(code: StoreErrorCode, message: string, options: { revision?: Revision; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.revision = options.revision
  }
}

/** The end of the range of all keys that start with `prefix`. */
export function prefixEnd(prefix: string): string {
  const last = prefix.charCodeAt(prefix.length - 1)
  return prefix.slice(0, -1) + String.fromCharCode(last + 1)
}
