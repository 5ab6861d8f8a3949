import type { Clock, Logger, Metrics, Random } from '../../base/index.ts'
import { noRevision, type Revision } from '../../object/index.ts'
import {
  type RangeOptions,
  type RangeResult,
  type ReadOptions,
  type Store,
  type StoredValue,
  StoreError,
  type StoreMember,
  type StoreWatch,
  type StoreWatchOptions,
  type StoreWatchSink,
  type StoreWriteOptions,
  type WriteResult,
} from '../contract.ts'
import { ask } from './ask.ts'
import type { Channel } from './channel.ts'
import { type ClientOptions, EtcdClient } from './client.ts'
import { normalEndpoint } from './endpoint.ts'
import { type GrpcFailure, grpcCodes } from './failure.ts'
import { Fences } from './fences.ts'
import { Leases } from './lease.ts'
import { createLookBack } from './lookback.ts'
import { DeletionMarks } from './marks.ts'
import {
  decodeRange,
  decodeStatus,
  decodeWrite,
  encodeCompact,
  encodeRange,
  encodeStatus,
  encodeVersionedPut,
  type GuardedWrite,
  methods,
  type RangeReply,
  type RangeRequest,
} from './messages.ts'
import { type EtcdMember, type EtcdMemberStatus, memberStatusQuestion, membersQuestion } from './operatormessages.ts'
import { createRecorder, type DescribeKey, type Operation, type Recorder } from './recorder.ts'
import { EtcdWatch } from './watch.ts'
import { EtcdWriter } from './write.ts'

interface EtcdStoreDependencies {
  clock: Clock
  random: Random
  log: Logger
  metrics: Metrics
}

export interface EtcdStoreOptions extends ClientOptions {
  /** Default 60; 0 gives every key with a time to live its own lease. */
  leaseReuseSeconds?: number
  /** Labels of the request metrics. */
  describeKey?: DescribeKey
  /**
   * Prefix of the store's own keys: the fences that are written when the answer to a creation is lost (see `Fences`),
   * and the key that each deletion writes (see `DeletionMarks`). Absent: a creation whose answer is lost stays unknown
   * unless its key exists, and a deletion unless its key exists.
   */
  fencePrefix?: string
}

/** A Store on an etcd cluster of release 3.4 or later. */
export interface EtcdStore extends Store {
  readonly name: 'etcd'
  /**
   * Puts `value` if the key's version is `version` (0: it doesn't exist), in one transaction; resolves with the store's
   * revision, and the key's state when refused. For agreements between replicas, such as who compacts.
   */
  putVersion(
    key: string,
    version: number,
    value: Uint8Array,
  ): Promise<{ ok: boolean; revision: Revision; version: number; value: Uint8Array | undefined }>
  /** Another replica has compacted to that revision. */
  noteCompacted(revision: Revision): void
  /** The id of the cluster, in decimal. A restored one has another id, unless it has its token and members again. */
  clusterId(): Promise<string>
}

/** A key that need not exist: reading it yields the revision and proves that there is a quorum. */
const probeKey = 'health'
const statusTimeoutMs = 5000
/** Maximum number of members that are shown besides the endpoints of the options. */
const listedMax = 50

/** Connects when first used. Every rejection is a StoreError. */
export function createEtcdStore(dependencies: EtcdStoreDependencies, options: EtcdStoreOptions): EtcdStore {
  return new GrpcStore(dependencies, options)
}

class GrpcStore implements EtcdStore {
  readonly name = 'etcd'
  readonly #dependencies: EtcdStoreDependencies
  readonly #client: EtcdClient
  readonly #recorder: Recorder
  readonly #leases: Leases
  readonly #writer: EtcdWriter
  readonly #requestTimeoutMs: number
  readonly #watches = new Set<EtcdWatch>()
  /** The newest revision of all answers and events. */
  #revisionSeen: Revision = noRevision
  #compacted: Revision = noRevision
  #closed = false

  constructor(dependencies: EtcdStoreDependencies, options: EtcdStoreOptions) {
    this.#dependencies = dependencies
    this.#client = new EtcdClient(dependencies, options)
    this.#recorder = createRecorder(dependencies.clock, dependencies.metrics, options.describeKey)
    this.#leases = new Leases(dependencies, this.#client, { reuseSeconds: options.leaseReuseSeconds ?? 60 })
    this.#requestTimeoutMs = options.requestTimeoutMs ?? 10_000
    const { fencePrefix } = options
    this.#writer = new EtcdWriter({
      clock: dependencies.clock,
      client: this.#client,
      ...(fencePrefix !== undefined && {
        fences: new Fences(dependencies, this.#client, this.#leases, fencePrefix),
        marks: new DeletionMarks(dependencies.random, this.#client, fencePrefix),
      }),
      lookBack: createLookBack(dependencies, this.#client),
      revisionSeen: () => this.#revisionSeen,
    })
  }

  async get(key: string, options: ReadOptions = {}): Promise<{ value: StoredValue | undefined; revision: Revision }> {
    const reply = await this.#read('get', { key, revision: options.revision ?? 0 }, options)
    return { value: reply.values[0], revision: options.revision ?? reply.revision }
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    const { start, end, limit = 0, revision = 0, keysOnly = false, countOnly = false } = options
    const reply = await this.#read('list', { key: start, end, limit, revision, keysOnly, countOnly }, options)
    return options.revision ? { ...reply, revision: options.revision } : reply
  }

  create(key: string, value: Uint8Array, options: StoreWriteOptions = {}): Promise<WriteResult> {
    return this.#write('create', { key, expected: 0, value }, options)
  }

  update(key: string, value: Uint8Array, expected: Revision, options: StoreWriteOptions = {}): Promise<WriteResult> {
    return this.#write('update', { key, expected, value }, options)
  }

  delete(key: string, expected: Revision, options: { signal?: AbortSignal } = {}): Promise<WriteResult> {
    return this.#write('delete', { key, expected }, options)
  }

  async currentRevision(options: { signal?: AbortSignal } = {}): Promise<Revision> {
    return (await this.#read('currentRevision', { key: probeKey, countOnly: true }, options)).revision
  }

  watch(options: StoreWatchOptions, sink: StoreWatchSink): StoreWatch {
    if (this.#closed) throw new StoreError('closed', 'the store is closed')
    const watch = new EtcdWatch(this.#dependencies, this.#client, options, {
      onEvents: (events) => {
        this.#see(events.at(-1)?.revision ?? noRevision)
        sink.onEvents(events)
      },
      onProgress: (revision) => {
        this.#see(revision)
        sink.onProgress(revision)
      },
      onInterrupted: () => sink.onInterrupted?.(),
      onEnd: (error) => {
        this.#watches.delete(watch)
        sink.onEnd(error)
      },
    })
    this.#watches.add(watch)
    return watch
  }

  async compact(revision: Revision): Promise<void> {
    const call = { repeatable: true }
    try {
      await this.#timed(
        'compact',
        '',
        this.#client.call(methods.compact, encodeCompact(revision), () => {}, call),
      )
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'compacted') throw error
    }
    this.noteCompacted(revision)
  }

  async ping({ timeoutMs }: { timeoutMs: number }): Promise<void> {
    await this.#client.call(methods.range, encodeRange({ key: probeKey, countOnly: true }), decodeRange, {
      repeatable: true,
      timeoutMs,
    })
  }

  compactedRevision(): Revision {
    return this.#compacted
  }

  noteCompacted(revision: Revision): void {
    if (revision > this.#compacted) this.#compacted = revision
  }

  async clusterId(): Promise<string> {
    const call = { repeatable: true }
    return (await this.#client.call(methods.status, encodeStatus(), decodeStatus, call)).clusterId
  }

  async members(): Promise<readonly StoreMember[]> {
    const { endpoints } = this.#client
    const [named, listed] = await Promise.all([
      Promise.all(endpoints.map((each) => this.#statusOf(each))),
      this.#list(),
    ])
    const answering = new Set(named.map((status) => status?.memberId))
    const others = listed
      .filter(({ id }) => !answering.has(id))
      .map(addressOfMember)
      .filter((address) => address !== '' && !endpoints.includes(address))
    const shown = [...new Set(others)].slice(0, listedMax)
    const statuses = [...named, ...(await Promise.all(shown.map((each) => this.#statusOf(each))))]
    return [...endpoints, ...shown].map((endpoint, index) => {
      const { sizeBytes, leader, memberId } = statuses[index] ?? {}
      return { endpoint, bytes: sizeBytes, isLeader: leader !== undefined && leader !== 0n && leader === memberId }
    })
  }

  /** The members that the cluster itself lists; none where it does not answer. */
  async #list(): Promise<readonly EtcdMember[]> {
    const { path, frame, decode } = membersQuestion()
    try {
      return await this.#client.call(path, frame, decode, { repeatable: true, timeoutMs: statusTimeoutMs })
    } catch (error) {
      if (error instanceof StoreError) return []
      throw error
    }
  }

  /** Undefined: no answer. */
  async #statusOf(endpoint: string): Promise<EtcdMemberStatus | undefined> {
    let channel: Channel | undefined
    try {
      channel = await this.#client.connectTo(endpoint)
      return await ask(this.#dependencies.clock, channel, memberStatusQuestion, statusTimeoutMs)
    } catch (error) {
      if (error instanceof StoreError) return undefined
      throw error
    } finally {
      channel?.destroy('no longer needed')
    }
  }

  async putVersion(
    key: string,
    version: number,
    value: Uint8Array,
  ): Promise<{ ok: boolean; revision: Revision; version: number; value: Uint8Array | undefined }> {
    const frame = encodeVersionedPut(key, version, value)
    const reply = await this.#client.call(methods.txn, frame, decodeWrite, { repeatable: false })
    const { succeeded, revision, current } = reply
    return { ok: succeeded, revision, version: current?.version ?? 0, value: current?.value }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    for (const watch of this.#watches) watch.end(new StoreError('closed', 'the store is closed'))
    this.#client.close()
  }

  #see(revision: Revision): void {
    if (revision > this.#revisionSeen) this.#revisionSeen = revision
  }

  async #read(operation: Operation, request: RangeRequest, options: { signal?: AbortSignal }): Promise<RangeReply> {
    const call = { repeatable: true, signal: options.signal }
    const reading = this.#client.call(methods.range, encodeRange(request), decodeRange, call)
    const reply = await this.#timed(operation, request.key, reading)
    this.#see(reply.revision)
    return reply
  }

  async #write(operation: Operation, write: GuardedWrite, options: StoreWriteOptions): Promise<WriteResult> {
    const running = options.ttlSeconds
      ? this.#writeLeased(write, options, options.ttlSeconds)
      : this.#once(write, options)
    const result = await this.#timed(operation, write.key, running)
    this.#see(result.revision)
    return result
  }

  #once(write: GuardedWrite, options: StoreWriteOptions): Promise<WriteResult> {
    const { signal } = options
    return this.#writer.carryOut(write, { signal, timeoutMs: this.#requestTimeoutMs })
  }

  async #writeLeased(write: GuardedWrite, options: StoreWriteOptions, ttlSeconds: number): Promise<WriteResult> {
    try {
      return await this.#once({ ...write, lease: await this.#leases.idFor(ttlSeconds) }, options)
    } catch (error) {
      if (!isLeaseNotFound(error)) throw error
      this.#leases.drop(ttlSeconds)
      return await this.#once({ ...write, lease: await this.#leases.idFor(ttlSeconds) }, options)
    }
  }

  #timed<T>(operation: Operation, key: string, running: Promise<T>): Promise<T> {
    const started = this.#recorder.start()
    return running.then(
      (result) => {
        this.#recorder.succeeded(operation, key, started)
        return result
      },
      (error: unknown) => {
        this.#recorder.failed(operation, key, started)
        throw error
      },
    )
  }
}

/** Where its clients reach it; one that has not started yet has no such address. '': none that is understood. */
function addressOfMember({ clientUrls, peerUrls }: EtcdMember): string {
  try {
    // The origin alone: addresses are shown.
    return normalEndpoint(clientUrls[0] ?? peerUrls[0] ?? '', false)
  } catch {
    return ''
  }
}

function isLeaseNotFound(error: unknown): boolean {
  return error instanceof StoreError && (error.cause as GrpcFailure | undefined)?.code === grpcCodes.notFound
}
