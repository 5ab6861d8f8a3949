import type { Closable } from '../base/index.ts'
import type { ApiObject, GroupResource, Revision, StatusError } from '../object/index.ts'
import type { TableState } from '../storage/index.ts'

/**
 * How fresh a read must be.
 * - `latest`: at least every write that was answered before the read began (linearizable).
 * - `any`: whatever the cache holds.
 * - `notOlderThan`: at least `revision`; waits up to `readWaitMs`, then 504 `Too large resource version`.
 * - `exact`: the state at `revision`, from a snapshot or else from the store; 410 Expired when it is compacted.
 */
export type ReadConsistency =
  | { readonly kind: 'latest' }
  | { readonly kind: 'any' }
  | { readonly kind: 'notOlderThan'; readonly revision: Revision }
  | { readonly kind: 'exact'; readonly revision: Revision }

/**
 * How an object becomes bytes, one per (version, format, representation). Make each once and keep it: all users of an
 * encoding with the same `id` share the bytes. `encode` must be pure; the bytes must never be changed.
 */
export interface Encoding {
  /** Unique among the encodings used with one feed; small integers. */
  readonly id: number
  encode(entry: Entry): Uint8Array
  /** True: encoding this entry costs so little that it is encoded at each use. Default: all bytes are kept. */
  isCheap?(entry: Entry): boolean
  /** For cheap encodings: the same bytes in parts, for callers that send them at once; fewer bytes are copied. */
  parts?(entry: Entry): readonly Uint8Array[]
  /** The length of `parts`, for callers that make them later; absent where that costs as much as making them. */
  partsBytes?(entry: Entry): number
  /** Whether this entry can be transcoded: from its stored bytes, cheaply and without errors. */
  transcodes?(entry: Entry): boolean
  /** The bytes of `encode` in parts that are valid until the next turn of the event loop: callers copy them at once. */
  transcode?(entry: Entry): readonly Uint8Array[]
}

/**
 * The Encoding of a whole watch event with its framing, in parts; one of them usually is `event.entry.bytes(encoding)`.
 */
export interface FrameEncoding {
  /** Unique among the frame encodings used with one feed. */
  readonly id: number
  encode(event: CacheWatchEvent): readonly Uint8Array[]
}

/** A condition of a selector: the label or field `name` has this value. */
export interface Equality {
  readonly of: 'label' | 'field'
  readonly name: string
  readonly value: string
}

/** A field whose values are kept for all entries. */
export interface FieldIndex {
  /** As in field selectors: `spec.nodeName`. */
  readonly field: string
  /**
   * The value of the field in `fields`, read from the stored bytes; cheap, as it is called for every loaded entry. The
   * same for the canonical form of the stored bytes: no default may fill the field.
   */
  valueOf(stored: Uint8Array): string
}

/** One object at one revision. Immutable; the values that it returns are shared and must not be changed. */
export interface Entry {
  /** The store's key. */
  readonly key: string
  /**
   * The stored bytes (after decryption), or their canonical form. Throws UnreadableObject, like everything derived from
   * them, when the value can't be decrypted.
   */
  readonly stored: Uint8Array
  /** The store holds another form of the object than `stored`: even a write that changes nothing replaces it. */
  readonly isStoredOtherwise: boolean
  /** The object's resourceVersion. In a DELETED event: the revision of the event, as `object` and `bytes` show it. */
  readonly revision: Revision
  /** The revision at which this state was stored: before `revision` in a DELETED event. */
  readonly storedRevision: Revision
  readonly createRevision: Revision
  /**
   * Bytes may be made of `stored` without decoding it: they equal those that `object()` would yield. Determined once.
   */
  readonly canonical: boolean
  /** Decoded on first use and kept for a while. Throws the errors of `decode`. */
  object(): ApiObject
  /** Whether `object` returns without decoding. */
  readonly isDecoded: boolean
  labels(): Readonly<Record<string, string>>
  /** Field names as in field selectors: `metadata.name`, `spec.nodeName`. */
  fields(): Readonly<Record<string, string>>
  /** Encoded on first use and kept under a budget shared by the whole feed. */
  bytes(encoding: Encoding): Uint8Array
  /** The bytes that are kept now; encodes nothing. */
  keptBytes(encoding: Encoding): Uint8Array | undefined
  /**
   * As bytes, for texts that cost little to make again: keeps them from the second call on. Undefined at the first
   * one: one list of everything should not fill the memory.
   */
  bytesAgain(encoding: Encoding): Uint8Array | undefined
}

/** The parts of an entry that selectors read. */
export type Selectable = Pick<Entry, 'key' | 'stored' | 'labels' | 'fields'>

/** The selector of a list or watch within its key range. Make one per distinct selector and share it. */
export interface Predicate {
  /**
   * Equal keys mean equal predicates: watchers of equal scope and predicate are served together. For instance the
   * canonical texts of the selectors.
   */
  readonly key: string
  matches(entry: Selectable): boolean
  /** Equalities that every match satisfies: lists and watchers find each other by indexes of them. Default: none. */
  readonly equals?: readonly Equality[]
}

export interface CacheGetOptions {
  at: ReadConsistency
  signal?: AbortSignal
}

export interface GetResult {
  /** Undefined: no such key. */
  readonly entry: Entry | undefined
  /** The revision of the state that this answer shows. */
  readonly revision: Revision
}

export interface CacheListOptions {
  /** First key, inclusive: the resource's prefix, a namespace's prefix, or the key of a continue token plus '\0'. */
  start: string
  /** First key beyond, exclusive. */
  end: string
  at: ReadConsistency
  /** Maximum number of matching entries; 0 or absent: all. */
  limit?: number
  predicate?: Predicate
  signal?: AbortSignal
}

export interface ListResult {
  /** In order of keys. */
  readonly entries: readonly Entry[]
  /** The list's resourceVersion; for an exact read the requested one. */
  readonly revision: Revision
  /** Keys remain beyond the limit (with a predicate: at least one more match). */
  readonly more: boolean
  /** Exact number of keys beyond the last one; undefined with a predicate. */
  readonly remaining: number | undefined
  /** The last entry's key, for a continue token; undefined when there are no entries. */
  readonly lastKey: string | undefined
}

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'

/** One event, shared by all watchers that see it in the same way. Immutable. */
export interface CacheWatchEvent {
  readonly type: WatchEventType
  /**
   * For ADDED in an initial state, the entry's; for BOOKMARK, the revision up to which all events have been sent; for
   * ERROR, 0.
   */
  readonly revision: Revision
  /**
   * Undefined for BOOKMARK and ERROR. For DELETED (a deletion, or an object that no longer matches): the last state
   * that matched, with the event's revision.
   */
  readonly entry: Entry | undefined
  /** Present in MODIFIED events. */
  readonly views?: ChangeViews | undefined
  /** A BOOKMARK that ends the initial events (annotation `k8s.io/initial-events-end: "true"`). */
  readonly initialEventsEnd: boolean
  /** The Status object of an ERROR. */
  readonly error: StatusError | undefined
  /** The event in parts. Changes are encoded once per encoding, and kept for a while under a budget. */
  frame(encoding: FrameEncoding): readonly Uint8Array[]
}

/** How watchers that select for themselves see a MODIFIED event. */
export interface ChangeViews {
  /** The state before the change. */
  readonly previous: Entry | undefined
  /** As ADDED: the object did not match before. */
  entered(): CacheWatchEvent
  /** As DELETED, in the previous state: the object no longer matches. */
  left(): CacheWatchEvent
}

/** Where a watch begins. */
export type WatchFrom =
  /** The whole state as ADDED events in order of keys, then changes. `exact` is not possible here. */
  | { readonly kind: 'state'; readonly at: Exclude<ReadConsistency, { kind: 'exact' }> }
  /** Changes after the state that `at` selects, without that state (sendInitialEvents=false). */
  | { readonly kind: 'now'; readonly at: Exclude<ReadConsistency, { kind: 'exact' }> }
  /** Changes after `revision`; a watch from a future revision waits silently until the store has passed it. */
  | { readonly kind: 'after'; readonly revision: Revision }

export interface CacheWatchOptions {
  /** First key, inclusive: the resource's prefix, a namespace's prefix, or one key. */
  start: string
  /** First key beyond, exclusive: `prefixEnd(start)`, or the one key plus '\0'. */
  end: string
  from: WatchFrom
  predicate?: Predicate
  /** Send BOOKMARK events about every minute and shortly before `timeoutMs`. */
  bookmarks?: boolean
  /** With from `state` and bookmarks: end the initial events with a marked BOOKMARK (sendInitialEvents=true). */
  initialEventsEnd?: boolean
  /**
   * Milliseconds from now until the caller ends the watch; only used for the last bookmark. The caller closes the watch
   * itself.
   */
  timeoutMs?: number
  /** Aborting while `watch` is pending rejects it; later it closes the watch. */
  signal?: AbortSignal
}

export type WatchEnd =
  /** An ERROR event (410 Expired, 500) came just before. */
  | 'error'
  /** The sink was behind for too long or by too much; end the stream, so that the client resumes. */
  | 'slow'
  /** `close`, the signal, or the end of the cache. */
  | 'closed'

export interface CacheWatchSink {
  /**
   * Events in order; the array is shared and must not be changed. False: these were accepted, but no more until
   * `resume` is called. A throw ends this watch with an ERROR event (500). May call `close`.
   */
  onEvents(events: readonly CacheWatchEvent[]): boolean
  /** The initial state has been delivered; called once, by watches that begin with the state. */
  onBegun?(): void
  /** Nothing follows. Called once, also after `close`. */
  onEnd(end: WatchEnd): void
}

export interface CacheWatch extends Closable {
  /** Call it some time after onEvents returned false: the sink accepts events again. */
  resume(): void
  close(): void
}

/** The object and bytes of a write, passed to the cache so that it need not decode and encode them again. */
export interface WriteHint {
  key: string
  /** The revision that the store returned. */
  revision: Revision
  /** The stored object, with its new resourceVersion; it must not be changed afterwards. */
  object?: ApiObject
  bytes?: readonly { readonly encoding: Encoding; readonly bytes: Uint8Array }[]
}

/** The parts that a resource's cache is made of. */
export interface ResourceOptions {
  resource: GroupResource
  /** Prefix of all its keys, with the closing slash: `/registry/pods/`. No other resource's prefix starts with it. */
  prefix: string
  /** Decodes stored bytes to the object in its hub version with metadata.resourceVersion set to `revision`. */
  decode(stored: Uint8Array, revision: Revision, key: string): ApiObject
  /** See Entry.canonical. Default: no bytes are. */
  isCanonical?(stored: Uint8Array): boolean
  /** The canonical form of bytes that are not canonical; the entry keeps it instead. Undefined: there is none. */
  toCanonical?(stored: Uint8Array): Uint8Array | undefined
  /**
   * The labels and fields that selectors read. May read `entry.stored` directly or use `entry.object()`; not labels()
   * or fields().
   */
  labels(entry: Entry): Readonly<Record<string, string>>
  fields(entry: Entry): Readonly<Record<string, string>>
  /**
   * The result of `labels`, read from the stored bytes alone in about a microsecond: it is called for every entry, before
   * a selector asks. Undefined where the bytes don't suffice. Present only where labels depend on nothing but the bytes,
   * as they are saved for later starts. Default: `labels` is called when a selector asks.
   */
  storedLabels?(stored: Uint8Array): Readonly<Record<string, string>> | undefined
  /** Indexed fields, for predicates whose `equals` names one. */
  readonly indexes?: readonly FieldIndex[]
}

/**
 * The watch cache of one resource. Reads reject with StatusError for errors of clients (410, 429, 504) and with the
 * store's StoreErrors. While the cache isn't ready they answer 429 `storage is (re)initializing`, except `latest` gets
 * and `exact` reads, which go to the store.
 */
export interface ResourceCache {
  readonly resource: GroupResource
  readonly prefix: string
  /** False while it loads. */
  readonly ready: boolean
  /** The revision of the state that the cache shows. */
  readonly revision: Revision
  /** Number of entries. */
  readonly size: number
  /** Stored bytes of all entries together. */
  readonly storedBytes: number
  /** Resolves once ready; rejects when the signal aborts or the cache is closed. */
  whenReady(signal?: AbortSignal): Promise<void>
  get(key: string, options: CacheGetOptions): Promise<GetResult>
  /**
   * Returns the entry as `any` does, but synchronously; undefined when there is no such key or the cache isn't ready.
   */
  peek(key: string): Entry | undefined
  /** The results of `decode` and `selectable` have changed: drops everything derived from entries. No watch ends. */
  renew(): void
  list(options: CacheListOptions): Promise<ListResult>
  /**
   * Rejects with 429 or 504 when it can't begin. For a start that is too old it doesn't reject: the sink gets an ERROR
   * event with 410 Expired `too old resource version: N (M)`, then onEnd('error'). Nothing is delivered before the
   * promise's reactions have run.
   */
  watch(options: CacheWatchOptions, sink: CacheWatchSink): Promise<CacheWatch>
  adopt(hint: WriteHint): void
}

/** A source of values that a load need not read from the store. */
export interface WarmStart {
  /**
   * Called before each load, with a revision that the store has reached. Resolves with the revision at which the store
   * answers the load at little cost; undefined: there is none.
   */
  beginLoad(current: Revision): Promise<Revision | undefined>
  /**
   * All values of a prefix at a revision, for the first load; the table has the columns of the PastResource that was saved.
   * Undefined: they are read from the store. Rejects with StoreError.
   */
  table(
    prefix: string,
    options: { readonly revision: Revision; readonly signal: AbortSignal },
  ): Promise<TableState | undefined>
}

/** The state of all resources at one revision. */
export interface PastState {
  readonly revision: Revision
  readonly resources: readonly PastResource[]
}

export interface PastResource {
  readonly prefix: string
  /** Names of the texts of each value. */
  readonly columns: readonly string[]
  /** The first values behind the key `after`, in order of keys; '': from the beginning. None: there are no more. */
  after(after: string, limit: number): readonly PastValue[]
}

/** A value as entries have it: decrypted. */
export interface PastValue {
  readonly key: string
  readonly value: Uint8Array
  readonly createRevision: Revision
  readonly modRevision: Revision
  /** The store holds another form of the object. */
  readonly isAnotherForm: boolean
  /** The value can't be decrypted; it is left out. */
  readonly isAbsent: boolean
  /** One for each column; undefined: not known. */
  readonly texts: readonly (string | undefined)[]
}

/** One per store: a single store watch over everything below `prefix`, demultiplexed to the attached resources. */
export interface Feed extends Closable {
  /** The store's revision up to which all caches are current; 0 before the first load. */
  readonly revision: Revision
  /** The stream is open and all resources attached before it began are loaded. Later ones have their own `ready`. */
  readonly ready: boolean
  /**
   * Loads the attached resources and begins to watch; resolves once ready. Retries until it works, the signal aborts or
   * close.
   */
  start(signal?: AbortSignal): Promise<void>
  /** Before `start`: part of the first load. Later: loads alone and joins the stream (see `whenReady`). */
  attach(options: ResourceOptions): ResourceCache
  /** Ends the cache and its watches. */
  detach(cache: ResourceCache): void
  /**
   * A state from which clients of now could resume their watches: some revisions old where the caches still have that.
   * Without the resources that loaded later. Undefined while it loads.
   */
  pastState(): PastState | undefined
  close(): Promise<void>
}
