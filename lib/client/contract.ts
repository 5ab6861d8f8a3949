import type { Closable } from '../base/index.ts'
import type { ApiObject, Frozen, ListMeta, ObjectMeta, ResourceType, StatusError } from '../object/index.ts'

/**
 * The API as one user sees it. Every call rejects with StatusError when the server refuses it, and with RequestError
 * when there is no answer. Results are shared and must not be changed; arguments stay the caller's.
 *
 *     const pods = client.resource(resources.core.v1.pods)
 *     await pods.create({ ...pod, metadata: { ...pod.metadata, namespace: 'default' } })
 *     await pods.delete({ namespace: 'default', name: 'web-0' }, { uid })
 */
export interface Client extends Closable {
  resource<T extends ApiObject>(type: ResourceType<T>): ResourceClient<T>
  /** As `resource`, for the objects' metadata alone. Patches and deletions are the only writes with this form. */
  metadata(type: ResourceType<ApiObject>): ResourceClient<PartialObject>
  /** GET of a JSON document outside of the resources: `/version`, `/apis`. */
  document(path: string, options?: { readonly accept?: string; readonly signal?: AbortSignal }): Promise<unknown>
  /** Ends its connections and watches. */
  close(): void | Promise<void>
}

export type PartialObject = { apiVersion: string; kind: string; metadata: ObjectMeta }

/** Names an object; every object is such a name by its metadata. */
export interface ObjectName {
  readonly namespace?: string | undefined
  readonly name?: string | undefined
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

export interface WriteOptions extends CallOptions {
  readonly dryRun?: boolean
  /** Default: the client's own, derived from its user agent. */
  readonly fieldManager?: string
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict'
}

export interface GetOptions extends CallOptions {
  /** `'0'`: any state in the server's cache. Default: the latest state. */
  readonly resourceVersion?: string
}

export interface SelectOptions extends CallOptions {
  /** Absent or '': in all namespaces. */
  readonly namespace?: string | undefined
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

export interface ListOptions extends SelectOptions {
  readonly limit?: number
  readonly continue?: string
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan'
}

export interface WatchOptions extends SelectOptions {
  /** Delivers changes after it; absent: first the state as ADDED events. */
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'NotOlderThan'
  /** Default true. */
  readonly bookmarks?: boolean
  /** A streaming list: ADDED events, then a bookmark with the annotation `k8s.io/initial-events-end`. */
  readonly sendInitialEvents?: boolean
  readonly timeoutSeconds?: number
}

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply'

export interface PatchOptions extends WriteOptions {
  /** Apply: takes fields that other managers own. */
  readonly force?: boolean
}

export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean
  readonly gracePeriodSeconds?: number
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground'
  /** Preconditions. */
  readonly uid?: string | undefined
  readonly resourceVersion?: string | undefined
}

/** An object as clients write it: the server fills in its status. */
export type Submitted<T> = 'status' extends keyof T ? Omit<T, 'status'> & { status?: T['status'] } : T

export interface ObjectList<T> {
  readonly metadata: Frozen<ListMeta>
  readonly items: readonly Frozen<T>[]
}

export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: Frozen<T> }
  /** All events up to the object's resourceVersion have been sent. */
  | { readonly type: 'BOOKMARK'; readonly object: Frozen<PartialObject> }

export interface WatchSink<T> {
  /** In order. Never called again after `onEnd`. */
  onEvents(events: readonly WatchEvent<T>[]): void
  /**
   * The watch has ended; called once. With an error: it could not begin, was refused (410 Expired: list again), or
   * broke. Without: the server ended it gracefully, or `close` was called.
   */
  onEnd(error?: StatusError | Error): void
}

/** The objects of one resource, in any namespace. */
export interface ResourceClient<T> {
  readonly type: ResourceType<ApiObject>
  get(name: ObjectName, options?: GetOptions): Promise<Frozen<T>>
  /** One page, or everything without a limit. */
  list(options?: ListOptions): Promise<ObjectList<T>>
  /**
   * Everything, requested in chunks of `limit` (default 500). When a token expires on the way the list starts again.
   */
  listAll(options?: ListOptions): Promise<ObjectList<T>>
  /** The object's metadata has the namespace. */
  create(object: Frozen<Submitted<T>>, options?: WriteOptions): Promise<Frozen<T>>
  /** With a resourceVersion: only if it is still the current one, else 409. */
  update(object: Frozen<T>, options?: WriteOptions): Promise<Frozen<T>>
  updateStatus(object: Frozen<T>, options?: WriteOptions): Promise<Frozen<T>>
  /** `patch` is the patch as a value: operations for `json`, a part of an object for the others. */
  patch(name: ObjectName, type: PatchType, patch: unknown, options?: PatchOptions): Promise<Frozen<T>>
  patchStatus(name: ObjectName, type: PatchType, patch: unknown, options?: PatchOptions): Promise<Frozen<T>>
  /** Resolves with the object in its last or its terminating state, or a Status, depending on the resource. */
  delete(name: ObjectName, options?: DeleteOptions): Promise<Frozen<PartialObject>>
  deleteCollection(
    select?: SelectOptions & Omit<ListOptions, keyof CallOptions>,
    options?: DeleteOptions,
  ): Promise<void>
  watch(options: WatchOptions, sink: WatchSink<T>): Closable
  /** Any other subresource: `scale`, `eviction`, `token`, `approval`, `finalize`. */
  subresource<Sub extends ApiObject = ApiObject>(name: string): SubresourceClient<Sub>
}

export interface SubresourceClient<Sub> {
  get(name: ObjectName, options?: GetOptions): Promise<Frozen<Sub>>
  create(name: ObjectName, object: Frozen<Sub>, options?: WriteOptions): Promise<Frozen<Sub>>
  update(name: ObjectName, object: Frozen<Sub>, options?: WriteOptions): Promise<Frozen<Sub>>
  patch(name: ObjectName, type: PatchType, patch: unknown, options?: PatchOptions): Promise<Frozen<Sub>>
}

/** One request before encoding, the input of the HTTP and the loopback transport. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path and query. */
  readonly url: string
  /** The object that the URL names. Absent: the URL names a collection or a document. */
  readonly name?: ObjectName
  /** The server checks the write and stores nothing. */
  readonly dryRun?: boolean | undefined
  /** The type of the objects in the answer. Absent: a JSON document. */
  readonly type?: ResourceType<ApiObject>
  /** Requests only the metadata of an object (or a watch), or of a list. */
  readonly partial?: 'object' | 'list' | undefined
  /** Further media types of documents. */
  readonly accept?: string
  /** A whole object, in the version of the URL. */
  readonly object?: Frozen<ApiObject>
  /** Any other body: options, or a patch of that type. */
  readonly body?: { readonly contentType: string; readonly value: unknown }
  readonly signal?: AbortSignal | undefined
}

/** How requests reach the server. Rejects as Client does. */
export interface Transport extends Closable {
  /**
   * The server is in this process: a list returns the server's own objects, and costs no more than a stream of them.
   */
  readonly isLocal?: boolean
  /** The answer's object, list, Status or document. Items of lists include their kind and version. */
  send(request: TransportRequest): Promise<unknown>
  watch(request: TransportRequest, sink: WatchSink<ApiObject>): Closable
}
