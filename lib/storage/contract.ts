import type { Revision } from '../object/index.ts'

/** One key as stored. `value` is immutable and owns its memory (it is no view into a transport buffer). */
export interface StoredValue {
  readonly key: string
  readonly value: Uint8Array
  readonly createRevision: Revision
  readonly modRevision: Revision
  /** It could not be decrypted, and `value` is empty. */
  readonly unreadable?: UnreadableValue | undefined
  /** It would be encrypted in another way today: an update that changes nothing is to be written all the same. */
  readonly stale?: boolean
}

export interface UnreadableValue {
  /** For clients; it holds nothing of the value. */
  readonly error: Error
  /** Tries once more: keys may have come, and key services may have come back. Undefined: still in vain. Never rejects. */
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
  /** Values are empty. */
  keysOnly?: boolean
  /** Only `count` is answered. */
  countOnly?: boolean
  /** With a limit: `count` may be left at what is known without counting, which takes as long as the range has keys. */
  uncounted?: boolean
}

export interface RangeResult {
  readonly values: readonly StoredValue[]
  /** Keys exist beyond the limit. */
  readonly more: boolean
  /** Keys in the whole range, the limit aside (but see `uncounted`). */
  readonly count: number
  /** The revision that this answer shows: that asked for, else the store's at the time of the read. */
  readonly revision: Revision
}

/** A refused write changed nothing; `current` is what stands in its way (undefined: the key does not exist). */
export type WriteResult =
  | { readonly ok: true; readonly revision: Revision }
  | { readonly ok: false; readonly current: StoredValue | undefined; readonly revision: Revision }

export interface WriteOptions {
  signal?: AbortSignal
  /** The key is deleted by the store once this time has passed without another write. */
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

export interface WatchOptions {
  start: string
  end: string
  /** First revision to be reported, inclusive. */
  fromRevision: Revision
}

export interface WatchSink {
  /**
   * Events in order of revision, each once; never two calls with parts of one revision. The store survives broken
   * connections by itself and goes on at the next revision.
   */
  onEvents(events: readonly StoreEvent[]): void
  /** Everything up to `revision` has been delivered. */
  onProgress(revision: Revision): void
  /** The watch is over: `compacted` (history is gone: list anew) or `closed`. Nothing follows. */
  onEnd(error: StoreError): void
}

export interface StoreWatch {
  /** Asks for an onProgress soon; false when the store can't (an etcd with the progress fault). */
  requestProgress(): boolean
  close(): void
}

/**
 * A key-value store with revisions, the semantics of etcd: every write has a revision of its own, reads are
 * linearizable, a write that was answered is durable. Implementations: etcd, embedded, memory; one contract suite.
 */
export interface Store {
  readonly name: 'etcd' | 'embedded' | 'memory'
  get(key: string, options?: ReadOptions): Promise<{ value: StoredValue | undefined; revision: Revision }>
  range(options: RangeOptions): Promise<RangeResult>
  /** Refused when the key exists. */
  create(key: string, value: Uint8Array, options?: WriteOptions): Promise<WriteResult>
  /** Refused unless the key's mod revision is `expected`. */
  update(key: string, value: Uint8Array, expected: Revision, options?: WriteOptions): Promise<WriteResult>
  /** Refused unless the key's mod revision is `expected`. `revision` is that of the deletion. */
  delete(key: string, expected: Revision, options?: { signal?: AbortSignal }): Promise<WriteResult>
  /** The store's revision now, linearizable: at least that of every write answered before the call. */
  currentRevision(options?: { signal?: AbortSignal }): Promise<Revision>
  /** As currentRevision, at once: only a store that lives in this process can tell. */
  revisionNow?(): Revision
  watch(options: WatchOptions, sink: WatchSink): StoreWatch
  /** History before `revision` becomes unreadable. Compacting what is compacted already is no error. */
  compact(revision: Revision): Promise<void>
  /** Rejects when the store can't answer within the time. */
  ping(options: { timeoutMs: number }): Promise<void>
  /** Size of the database in bytes, per server or file. */
  sizeBytes(): Promise<readonly { endpoint: string; bytes: number }[]>
  close(): Promise<void>
}

export type StoreErrorCode =
  /** The revision asked for is compacted; `revision` is the oldest readable one where known. */
  | 'compacted'
  /** The revision asked for has not happened yet. */
  | 'future-revision'
  /** No server answered in time, or the connection broke: a write may or may not have happened. */
  | 'unavailable'
  /** The request or value exceeds what the store takes. */
  | 'too-large'
  /** The store is out of space. */
  | 'no-space'
  /** The value can't be encrypted; the message is for clients. */
  | 'not-encrypted'
  /** The caller's signal aborted. */
  | 'aborted'
  | 'closed'
  | 'internal'

/** Every rejection of a Store. */
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
