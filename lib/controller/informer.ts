import type { Closable } from '../base/index.ts'
import type { ResourceClient, WatchEvent } from '../client/index.ts'
import type { ApiObject, Frozen, ResourceType } from '../object/index.ts'
import { Indexer } from './indexer.ts'
import { type Identified, keyOf } from './key.ts'
import type { Index, Lister } from './lister.ts'
import { type ReflectorDependencies, type ReflectorOptions, type StateOptions, startReflector } from './reflector.ts'

/** One change of one object, reported after the lister shows it. */
export interface InformerEvent<T> {
  /** The latest state; of a deleted object, its last. */
  readonly object: Frozen<T>
  /** Undefined: the object is new. */
  readonly before: Frozen<T> | undefined
  readonly deleted: boolean
}

/**
 * The watched objects of one resource, shared by all controllers that use them. Over HTTP it holds its own objects,
 * in process those of the watch cache.
 */
export interface Informer<T> extends Lister<T> {
  readonly type: ResourceType<ApiObject>
  /** True once the first complete state has arrived. */
  readonly synced: boolean
  /** The revision of the state that it shows; 0 before the first. */
  readonly revision: number
  /** The error of the latest list or watch; undefined while they succeed. */
  readonly failure: Error | undefined
  whenSynced(): Promise<void>
  /**
   * Calls the listener with every existing object as new, then with each change. Errors of the listener are logged.
   */
  subscribe(listener: (change: InformerEvent<T>) => void): Closable
  /** Calls `then` as soon as the state of that revision is shown. */
  onceReached(revision: number, then: () => void): void
}

export interface SharedInformer<T> extends Informer<T>, Closable {
  /** Starts the watch; a second call does nothing. */
  start(): void
  close(): void
}

export function createInformer<T extends Identified>(
  dependencies: ReflectorDependencies,
  client: ResourceClient<T>,
  options: ReflectorOptions & StateOptions = {},
): SharedInformer<T> {
  const objects = new Indexer<T>()
  const listeners = new Set<(change: InformerEvent<T>) => void>()
  const synced = Promise.withResolvers<void>()
  let waiters: { readonly revision: number; readonly reached: () => void }[] = []
  let reflector: Closable | undefined
  let closed = false
  let isSynced = false
  let revision = 0
  let failure: Error | undefined

  function notify(listener: (change: InformerEvent<T>) => void, change: InformerEvent<T>): void {
    try {
      listener(change)
    } catch (error) {
      dependencies.log.error('a listener failed', { resource: client.type.resource, key: keyOf(change.object), error })
    }
  }

  function put(object: Frozen<T>): void {
    const before = objects.set(object)
    for (const listener of listeners) notify(listener, { object, before, deleted: false })
  }

  function remove(key: string, last?: Frozen<T>): void {
    const before = objects.delete(key)
    if (before === undefined) return
    for (const listener of listeners) notify(listener, { object: last ?? before, before, deleted: true })
  }

  function reach(version: string | undefined): void {
    const reached = Number(version ?? 0)
    if (reached > revision) revision = reached
    if (waiters.length === 0) return
    const done = waiters.filter((waiter) => waiter.revision <= revision)
    if (done.length === 0) return
    waiters = waiters.filter((waiter) => waiter.revision > revision)
    for (const { reached: then } of done) then()
  }

  const sink = {
    replaced(state: readonly Frozen<T>[], version: string): void {
      failure = undefined
      const kept = new Set<string>()
      for (const object of state) {
        const key = keyOf(object)
        kept.add(key)
        const before = objects.get(key)
        if (before === undefined || !isSame(before, object)) put(object)
      }
      const gone = Array.from(objects.all(), keyOf).filter((key) => !kept.has(key))
      for (const key of gone) remove(key)
      isSynced = true
      reach(version)
      synced.resolve()
    },
    changed(events: readonly WatchEvent<T>[]): void {
      failure = undefined
      for (const event of events) {
        if (event.type === 'DELETED') remove(keyOf(event.object), event.object)
        else if (event.type !== 'BOOKMARK') put(event.object)
      }
      reach(versionOf(events.at(-1)?.object))
    },
    failed(error: Error): void {
      failure = error
    },
  }

  return {
    type: client.type,
    get synced() {
      return isSynced
    },
    get revision() {
      return revision
    },
    get failure() {
      return failure
    },
    get size() {
      return objects.size
    },
    get: (key) => objects.get(key),
    all: () => objects.all(),
    in: (namespace) => objects.in(namespace),
    by: (index: Index<T>, value) => objects.by(index, value),
    whenSynced: () => synced.promise,
    subscribe(listener) {
      listeners.add(listener)
      for (const object of Array.from(objects.all())) notify(listener, { object, before: undefined, deleted: false })
      return { close: () => void listeners.delete(listener) }
    },
    onceReached(wanted, then) {
      if (wanted <= revision) then()
      else waiters.push({ revision: wanted, reached: then })
    },
    start() {
      if (!closed) reflector ??= startReflector(dependencies, client, options, sink)
    },
    close() {
      closed = true
      void reflector?.close()
      listeners.clear()
      waiters = []
    },
  }
}

function versionOf(object: unknown): string | undefined {
  return (object as { metadata?: { resourceVersion?: string } } | undefined)?.metadata?.resourceVersion
}

function isSame(left: unknown, right: unknown): boolean {
  const version = versionOf(left)
  return version !== undefined && version === versionOf(right)
}
