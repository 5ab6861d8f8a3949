import type { Clock, Metrics } from '../../base/index.ts'
import type { GroupResource, Revision } from '../../object/index.ts'
import {
  type RangeOptions,
  type RangeResult,
  type ReadOptions,
  type Store,
  type StoredValue,
  StoreError,
  type StoreEvent,
  type StoreMember,
  type StoreWatch,
  type StoreWatchOptions,
  type StoreWatchSink,
  type StoreWriteOptions,
  type UnreadableValue,
  type WriteResult,
} from '../contract.ts'
import type { DescribeKey } from '../etcd/recorder.ts'
import { DecryptedWatch } from './decryptedwatch.ts'
import { createTransformationMetrics, type TransformationMetrics } from './metrics.ts'
import { type Decrypted, inOrder, isPromise, type Maybe, startsWith } from './transformer.ts'
import { plain, type ResourceTransformer, type TransformerOf } from './transformers.ts'

export interface EncryptedStoreDependencies {
  readonly clock: Clock
  readonly metrics: Metrics
  /** The resource of a key; an empty name for keys outside of resources, whose values are plain. */
  describeKey: DescribeKey
  /** Called for each use, as the configuration may change. */
  transformerOf: TransformerOf
}

/**
 * A Store that encrypts values into `store`, once a write, and decrypts them once a read. A value that can't be
 * decrypted doesn't fail the read: it is returned as unreadable, so that all others are served.
 */
export function createEncryptedStore(store: Store, dependencies: EncryptedStoreDependencies): Store {
  const encrypted = new EncryptedStore(store, dependencies)
  return store.revisionNow ? Object.assign(encrypted, { revisionNow: () => revisionNow(store) }) : encrypted
}

function revisionNow(store: Store): Revision {
  if (!store.revisionNow) throw new StoreError('internal', 'the store has no revision at once')
  return store.revisionNow()
}

const noValue = new Uint8Array(0)

/** A stored value after its decryption. */
export interface Opened {
  readonly value: Uint8Array
  readonly stale: boolean
  readonly unreadable: UnreadableValue | undefined
}

class EncryptedStore implements Store {
  readonly name: Store['name']
  readonly #store: Store
  readonly #metrics: TransformationMetrics
  readonly #describeKey: DescribeKey
  readonly #transformerOf: TransformerOf

  constructor(store: Store, { clock, metrics, describeKey, transformerOf }: EncryptedStoreDependencies) {
    this.name = store.name
    this.#store = store
    this.#metrics = createTransformationMetrics(clock, metrics)
    this.#describeKey = (key) => describeKey(key)
    this.#transformerOf = (resource) => transformerOf(resource)
  }

  async get(key: string, options?: ReadOptions): Promise<{ value: StoredValue | undefined; revision: Revision }> {
    const { value, revision } = await this.#store.get(key, options)
    return { value: value && (await this.#decrypted(value)), revision }
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    const result = await this.#store.range(options)
    if (options.keysOnly || result.values.length === 0) return result
    const values = inOrder(result.values.map((value) => this.#decrypted(value)))
    return { ...result, values: isPromise(values) ? await values : values }
  }

  async create(key: string, value: Uint8Array, options?: StoreWriteOptions): Promise<WriteResult> {
    return this.#answer(await this.#store.create(key, await this.#encrypt(key, value), options))
  }

  async update(key: string, value: Uint8Array, expected: Revision, options?: StoreWriteOptions): Promise<WriteResult> {
    return this.#answer(await this.#store.update(key, await this.#encrypt(key, value), expected, options))
  }

  async delete(key: string, expected: Revision, options?: { signal?: AbortSignal }): Promise<WriteResult> {
    return this.#answer(await this.#store.delete(key, expected, options))
  }

  currentRevision(options?: { signal?: AbortSignal }): Promise<Revision> {
    return this.#store.currentRevision(options)
  }

  watch(options: StoreWatchOptions, sink: StoreWatchSink): StoreWatch {
    return new DecryptedWatch(this.#store, options, sink, (event) => this.#decryptedEvent(event))
  }

  compact(revision: Revision): Promise<void> {
    return this.#store.compact(revision)
  }

  ping(options: { timeoutMs: number }): Promise<void> {
    return this.#store.ping(options)
  }

  compactedRevision(): Revision {
    return this.#store.compactedRevision()
  }

  members(): Promise<readonly StoreMember[]> {
    return this.#store.members()
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  async #answer(result: WriteResult): Promise<WriteResult> {
    if (result.ok || !result.current) return result
    return { ...result, current: await this.#decrypted(result.current) }
  }

  #encrypt(key: string, value: Uint8Array): Maybe<Uint8Array> {
    const resource = this.#describeKey(key)
    const { transformer, members } = this.#find(resource)
    const startedMs = this.#metrics.start()
    const prefix = members[0]?.name
    const finish = (parts: readonly Uint8Array[]): Uint8Array => {
      this.#metrics.done('to_storage', resource, prefix, startedMs)
      return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    }
    const fail = (error: unknown): never => {
      this.#metrics.done('to_storage', resource, prefix, startedMs, error)
      throw new StoreError('not-encrypted', messageOf(error), { cause: error })
    }
    try {
      const parts = transformer.encrypt(value, key)
      return isPromise(parts) ? parts.then(finish, fail) : finish(parts)
    } catch (error) {
      return fail(error)
    }
  }

  #decrypted(stored: StoredValue): Maybe<StoredValue> {
    const opened = this.#open(stored.key, stored.value)
    return isPromise(opened) ? opened.then((later) => valueOf(stored, later)) : valueOf(stored, opened)
  }

  #decryptedEvent(event: StoreEvent): Maybe<StoreEvent> {
    if (event.type === 'delete') return event
    const opened = this.#open(event.key, event.value)
    return isPromise(opened) ? opened.then((later) => eventOf(event, later)) : eventOf(event, opened)
  }

  /** Never throws or rejects. */
  #open(key: string, stored: Uint8Array): Maybe<Opened> {
    const resource = this.#describeKey(key)
    const from = this.#find(resource)
    const startedMs = this.#metrics.start()
    try {
      const result = from.transformer.decrypt(stored, 0, key)
      if (!isPromise(result)) return this.#opened(resource, from, stored, startedMs, result)
      return result.then(
        (later) => this.#opened(resource, from, stored, startedMs, later),
        (error: unknown) => this.#unopened(resource, from, key, stored, startedMs, error),
      )
    } catch (error) {
      return this.#unopened(resource, from, key, stored, startedMs, error)
    }
  }

  #opened(
    resource: GroupResource,
    from: ResourceTransformer,
    stored: Uint8Array,
    startedMs: number,
    { value, stale }: Decrypted,
  ): Opened {
    this.#metrics.done('from_storage', resource, prefixOf(from, stored), startedMs)
    return { value, stale, unreadable: undefined }
  }

  #unopened(
    resource: GroupResource,
    from: ResourceTransformer,
    key: string,
    stored: Uint8Array,
    startedMs: number,
    reason: unknown,
  ): Opened {
    this.#metrics.done('from_storage', resource, prefixOf(from, stored), startedMs, reason)
    const error = reason instanceof Error ? reason : new Error(String(reason))
    const again = async (): Promise<Uint8Array | undefined> => {
      const { value, unreadable } = await this.#open(key, stored)
      return unreadable ? undefined : value
    }
    return { value: noValue, stale: false, unreadable: { error, again } }
  }

  #find(resource: GroupResource): ResourceTransformer {
    return resource.resource === '' ? plain : this.#transformerOf(resource)
  }
}

function valueOf({ key, createRevision, modRevision, isAnotherForm }: StoredValue, opened: Opened): StoredValue {
  const { value, unreadable, stale } = opened
  return { key, value, createRevision, modRevision, unreadable, stale, ...(isAnotherForm && { isAnotherForm }) }
}

function eventOf({ type, key, createRevision, revision }: StoreEvent, { value, unreadable }: Opened): StoreEvent {
  return { type, key, value, createRevision, revision, unreadable }
}

/** The prefix of the provider that wrote the value. */
function prefixOf({ members }: ResourceTransformer, stored: Uint8Array): string | undefined {
  return members.find(({ prefix }) => startsWith(stored, 0, prefix))?.name
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
