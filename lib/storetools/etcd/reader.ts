import type { Clock, Logger, Metrics, Random } from '../../base/index.ts'
import { asRevision, noRevision, type Revision } from '../../object/index.ts'
import {
  createEtcdStore,
  type EtcdStore,
  type RawRange,
  type RawRangeReply,
  type RawValue,
  type StoreError,
  type StoreEvent,
} from '../../storage/index.ts'
import {
  type ChangeBatch,
  reasonOf,
  type Scan,
  type ScanOptions,
  type StoreChange,
  type StoredEntry,
  type StoreReader,
  StoreToolError,
} from '../contract.ts'
import { connectEtcd, type EtcdAddress, type EtcdConnection } from './connect.ts'
import { followEtcd } from './follow.ts'

export interface EtcdDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
}

/** etcd allows replies up to 4 MB; the size of a page is estimated from the one before. */
const pageBytes = 1024 * 1024
const pageKeysMax = 1000
const pageKeysFirst = 50
/** Lifetimes that are kept within one scan. */
const leasesMax = 100_000
const historyTimeoutMs = 30_000

export interface EtcdReader extends StoreReader {
  readonly kind: 'etcd'
  readonly connection: EtcdConnection
  /** The server's own client on the same cluster, for watches and for many writes. */
  ownClient(): EtcdStore
}

export async function openEtcdReader(dependencies: EtcdDependencies, address: EtcdAddress): Promise<EtcdReader> {
  const connection = connectEtcd(dependencies.clock, address)
  return new ClusterReader(dependencies, address, connection)
}

class ClusterReader implements EtcdReader {
  readonly kind = 'etcd'
  readonly description: string
  readonly connection: EtcdConnection
  readonly #dependencies: EtcdDependencies
  readonly #address: EtcdAddress
  #store: EtcdStore | undefined

  constructor(dependencies: EtcdDependencies, address: EtcdAddress, connection: EtcdConnection) {
    this.#dependencies = dependencies
    this.#address = address
    this.connection = connection
    this.description = `etcd at ${connection.endpoints.join(', ')}`
  }

  async currentRevision(): Promise<Revision> {
    // Any read, even of a missing key, returns the revision.
    return asRevision((await this.#range({ key: Buffer.from('health'), keysOnly: true })).revision)
  }

  async scan({ start = '\0', end, revision, keysOnly = false, lifetimes = false }: ScanOptions = {}): Promise<Scan> {
    const from = Buffer.from(start)
    const to = end === undefined ? Buffer.of(0) : Buffer.from(end)
    const shown = revision ?? (await this.currentRevision())
    const pages = (): AsyncIterable<readonly StoredEntry[]> => this.#pages(from, to, shown, { keysOnly, lifetimes })
    return { revision: shown, pages, close: () => undefined }
  }

  async get(key: string, revision = noRevision): Promise<{ entry: StoredEntry | undefined; revision: Revision }> {
    const { values, revision: newest } = await this.#range({ key: Buffer.from(key), revision })
    const shown = revision === noRevision ? asRevision(newest) : revision
    return { entry: values[0] && entryOf(values[0], 0), revision: shown }
  }

  async *history(key: string): AsyncIterable<StoreChange> {
    const newest = await this.currentRevision()
    const { events, compacted } = await this.#events(key, asRevision(1), newest)
    if (compacted === noRevision) return yield* events
    const { entry } = await this.get(key, compacted)
    if (entry && entry.modRevision < compacted) {
      const { value, createRevision, modRevision } = entry
      yield { type: 'put', key, value, createRevision, revision: modRevision }
    }
    yield* (await this.#events(key, compacted, newest)).events
  }

  async *changes(from: Revision): AsyncIterable<ChangeBatch> {
    const followed = followEtcd(this.#dependencies.clock, this.ownClient(), from)
    try {
      for (;;) {
        const { changes, revision } = await followed.next()
        const complete = []
        const leases = new Map<bigint, number>()
        for (const change of changes)
          complete.push({ ...change, ttlSeconds: change.type === 'put' ? await this.#ttlOf(change.key, leases) : 0 })
        yield { changes: complete, revision }
      }
    } finally {
      followed.close()
    }
  }

  owner(): undefined {
    return undefined
  }

  ownClient(): EtcdStore {
    const { endpoints, tls } = this.#address
    const isSecure = Object.keys(tls).length > 0
    this.#store ??= createEtcdStore(this.#dependencies, { endpoints, ...(isSecure ? { tls } : {}) })
    return this.#store
  }

  async close(): Promise<void> {
    this.connection.close()
    await this.#store?.close()
  }

  async #range(request: RawRange): Promise<RawRangeReply> {
    try {
      return await this.connection.call((cluster) => cluster.range(request))
    } catch (error) {
      if (/required revision has been compacted/.test(reasonOf(error)))
        throw new StoreToolError(`revision ${request.revision} is compacted`, { cause: error })
      if (/required revision is a future revision/.test(reasonOf(error)))
        throw new StoreToolError(`revision ${request.revision} has not happened yet`, { cause: error })
      throw error
    }
  }

  async *#pages(
    start: Buffer,
    end: Buffer,
    revision: Revision,
    { keysOnly, lifetimes }: { keysOnly: boolean; lifetimes: boolean },
  ): AsyncIterable<readonly StoredEntry[]> {
    const leases = new Map<bigint, number>()
    let limit = keysOnly ? pageKeysMax : pageKeysFirst
    for (let key = start; ; ) {
      const request = { key, end, limit, revision, keysOnly }
      let reply: RawRangeReply
      try {
        reply = await this.#range(request)
      } catch (error) {
        if (limit === 1 || !/larger than max/.test(reasonOf(error))) throw error
        limit = Math.max(1, limit >> 2)
        continue
      }
      const bytes = reply.values.reduce((sum, { key: name, value }) => sum + name.length + value.length, 0)
      if (reply.values.length > 0) {
        const entries = []
        for (const kv of reply.values) entries.push(entryOf(kv, lifetimes ? await this.#ttl(kv.lease, leases) : 0))
        yield entries
      }
      const last = reply.values.at(-1)
      if (!reply.more || !last) return
      key = Buffer.concat([last.key, Buffer.of(0)])
      const perKey = Math.max(1, bytes / reply.values.length)
      limit = Math.max(1, Math.min(pageKeysMax, limit * 2, Math.floor(pageBytes / perKey)))
    }
  }

  async #ttl(lease: bigint, known: Map<bigint, number>): Promise<number> {
    if (lease === 0n) return 0
    const remembered = known.get(lease)
    if (remembered !== undefined) return remembered
    const left = await this.connection.call((cluster) => cluster.leaseSeconds(lease))
    // Negative: the lease has ended meanwhile, and its keys with it.
    const seconds = Math.max(1, left)
    if (known.size >= leasesMax) known.clear()
    known.set(lease, seconds)
    return seconds
  }

  /** Watches don't include the remaining lifetime. A key that is deleted meanwhile has a later event. */
  async #ttlOf(key: string, leases: Map<bigint, number>): Promise<number> {
    const { values } = await this.#range({ key: Buffer.from(key), keysOnly: true })
    return values[0] ? await this.#ttl(values[0].lease, leases) : 0
  }

  /** Changes of a key up to `newest`; `compacted` when its history begins later than requested. */
  #events(key: string, from: Revision, newest: Revision): Promise<{ events: StoreChange[]; compacted: Revision }> {
    return new Promise((resolve, reject) => {
      const events: StoreChange[] = []
      const { clock } = this.#dependencies
      const finish = (compacted: Revision): void => {
        void timer.close()
        void asking.close()
        watch.close()
        resolve({ events, compacted })
      }
      const timer = clock.after(historyTimeoutMs, () => {
        void asking.close()
        watch.close()
        reject(new StoreToolError(`${this.description} doesn't have the history of ${key}`))
      })
      const watch = this.ownClient().watch(
        { start: key, end: `${key}\0`, fromRevision: from },
        {
          onEvents: (found: readonly StoreEvent[]) =>
            void events.push(...found.filter((one) => one.revision <= newest)),
          onProgress: (revision) => {
            if (revision >= newest) finish(noRevision)
          },
          onEnd: (error: StoreError) => {
            if (error.code === 'compacted') finish(error.revision ?? newest)
          },
        },
      )
      const asking = clock.every(pauseMs, () => void watch.requestProgress())
    })
  }
}

const pauseMs = 50

function entryOf({ key: bytes, value, createRevision, modRevision }: RawValue, ttlSeconds: number): StoredEntry {
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
  const revisions = { createRevision: asRevision(createRevision), modRevision: asRevision(modRevision) }
  const entry = { key, value, ...revisions, ttlSeconds }
  return Buffer.from(key).equals(bytes) ? entry : { ...entry, isForeign: true }
}
