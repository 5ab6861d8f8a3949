import { LRUCache } from 'lru-cache'
import {
  createDetachedEntry,
  type Entry,
  type Feed,
  type GetResult,
  type ResourceCache,
  type ResourceOptions,
  type WriteHint,
} from '../../cache/index.ts'
import { type ApiObject, noRevision, type Revision } from '../../object/index.ts'
import type { Backing } from '../../registry/index.ts'
import { type Store, type StoredValue, StoreError, type WriteResult } from '../../storage/index.ts'
import { currentTask } from './currenttask.ts'
import type { SentValue, SentWrite } from './messages.ts'
import { receiveError } from './senterror.ts'
import type { Loop } from './threadservices.ts'

/** Entries by key, for the duration of the tasks that need them. */
export type KnownValues = ReadonlyMap<string, SentValue>

/** The event loop's store, and caches that only have the objects of the present tasks. */
export function createRemoteBacking(loop: Loop, known: KnownValues): Backing {
  return { store: createRemoteStore(loop), feed: createRemoteFeed(known) }
}

function createRemoteStore(loop: Loop): Store {
  const task = (): number => currentTask().id
  return {
    name: 'etcd',
    async get(key) {
      const { value, revision } = await loop.call('store.get', { task: task(), key })
      return { value: value && storedOf(value), revision }
    },
    create: async (key, value, options) =>
      resultOf(await loop.call('store.create', { task: task(), key, value, ttlSeconds: options?.ttlSeconds })),
    update: async (key, value, expected, options) =>
      resultOf(
        await loop.call('store.update', { task: task(), key, value, expected, ttlSeconds: options?.ttlSeconds }),
      ),
    delete: async (key, expected) => resultOf(await loop.call('store.delete', { task: task(), key, expected })),
    range: () => Promise.reject(unused()),
    currentRevision: () => Promise.reject(unused()),
    watch() {
      throw unused()
    },
    compact: () => Promise.reject(unused()),
    ping: () => Promise.reject(unused()),
    compactedRevision() {
      throw unused()
    },
    members: () => Promise.reject(unused()),
    close: () => Promise.resolve(),
  }
}

function unused(): StoreError {
  return new StoreError('internal', 'threads for large objects read and write single objects only')
}

function resultOf(sent: SentWrite): WriteResult {
  return sent.ok ? sent : { ok: false, revision: sent.revision, current: sent.current && storedOf(sent.current) }
}

function storedOf({ unreadable, ...value }: SentValue): StoredValue {
  if (!unreadable) return value
  return { ...value, unreadable: { error: receiveError(unreadable), again: () => Promise.resolve(undefined) } }
}

function createRemoteFeed(known: KnownValues): Feed {
  const recent: RecentObjects = new LRUCache({ max: recentMax })
  return {
    revision: noRevision,
    ready: true,
    start: () => Promise.resolve(),
    attach: (options) => new RemoteCache(options, known, recent),
    pastState: () => undefined,
    detach() {},
    close: () => Promise.resolve(),
  }
}

/** Decoded objects that a thread keeps, of all resources: a client that changes a large object often changes it again. */
const recentMax = 4

/** By key. */
type RecentObjects = LRUCache<string, { readonly revision: Revision; readonly object: ApiObject }>

class RemoteCache implements ResourceCache {
  readonly ready = true
  readonly revision = noRevision
  readonly size = 0
  readonly storedBytes = 0
  readonly #options: ResourceOptions
  readonly #known: KnownValues
  readonly #recent: RecentObjects

  constructor(options: ResourceOptions, known: KnownValues, recent: RecentObjects) {
    this.#recent = recent
    this.#options = { ...options, decode: (...stored) => this.#decode(options, ...stored) }
    this.#known = known
  }

  get resource(): ResourceCache['resource'] {
    return this.#options.resource
  }
  get prefix(): string {
    return this.#options.prefix
  }
  whenReady(): Promise<void> {
    return Promise.resolve()
  }
  peek(key: string): Entry | undefined {
    const value = this.#known.get(key)
    return value && this.entryOf(value)
  }
  entryOf({ key, value, modRevision, createRevision, stale }: SentValue): Entry {
    const about = { key, stored: value, revision: modRevision, createRevision, isStoredOtherwise: stale }
    return createDetachedEntry(this.#options, about)
  }
  renew(): void {
    for (const key of this.#recent.keys()) if (key.startsWith(this.prefix)) this.#recent.delete(key)
  }
  adopt({ key, revision, object }: WriteHint): void {
    if (object) this.#recent.set(key, { revision, object })
  }
  /** The event loop has waited for the state that the request asks for. */
  get(key: string): Promise<GetResult> {
    const entry = this.peek(key)
    return Promise.resolve({ entry, revision: entry?.revision ?? noRevision })
  }
  #decode(options: ResourceOptions, ...[stored, revision, key]: Parameters<ResourceOptions['decode']>): ApiObject {
    const recent = this.#recent.get(key)
    if (recent?.revision === revision) return recent.object
    const object = options.decode(stored, revision, key)
    this.#recent.set(key, { revision, object })
    return object
  }
  list(): Promise<never> {
    return Promise.reject(unused())
  }
  watch(): Promise<never> {
    return Promise.reject(unused())
  }
}
