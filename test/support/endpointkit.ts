import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { tables } from '../../api/index.ts'
import { type AdmissionPlugin, createAdmission, createNamespaceLifecycle } from '../../lib/admission/index.ts'
import type { FieldOwnership } from '../../lib/apply/index.ts'
import { type Authorizer, alwaysAllow } from '../../lib/authz/index.ts'
import {
  createSeededRandom,
  type Metrics,
  nextTurn,
  silentLogger,
  silentMetrics,
  systemClock,
} from '../../lib/base/index.ts'
import { createFeed, type Feed, type FeedOptions } from '../../lib/cache/index.ts'
import { createLargeWork } from '../../lib/controlplane/largework/largework.ts'
import { directEgress } from '../../lib/egress/index.ts'
import {
  createResources,
  type Resources,
  type ResourcesOptions,
  type VirtualHandler,
} from '../../lib/endpoints/index.ts'
import { builtInKinds, createKindSet, type KindDefinition } from '../../lib/kinds/index.ts'
import { type ApiObject, type Status, StatusError } from '../../lib/object/index.ts'
import { createRegistry, type Registry } from '../../lib/registry/index.ts'
import {
  type Call,
  decodePath,
  mastersGroup,
  type ObjectEvent,
  type ObjectExchange,
  parseRequestInfo,
  type ResponseHeaders,
  type ResponseStream,
} from '../../lib/request/index.ts'
import { createServedGroups, type ServedGroups } from '../../lib/schema/index.ts'
import { createScheme, type Scheme, selectServed } from '../../lib/scheme/index.ts'
import { pieces } from '../../lib/server/responder/pieces.ts'
import { createMemoryStore, type Store } from '../../lib/storage/index.ts'

export interface Answer {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly bytes: Uint8Array
  readonly text: string
  /** The body as JSON; a Status for what was thrown. */
  readonly json: ApiObject &
    Status & { items: ApiObject[]; metadata: { continue?: string; remainingItemCount?: number } }
  readonly warnings: readonly string[]
}

interface RequestOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Aborts as when the client leaves. */
  readonly signal?: AbortSignal
}

/** A watch that the kit's client holds. */
export interface Stream {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly chunks: readonly Uint8Array[]
  readonly ended: boolean
  /** Events of a JSON watch so far. */
  events(): { type: string; object: ApiObject & Status }[]
  /** Waits until there are so many events, or fails. */
  until(count: number): Promise<{ type: string; object: ApiObject & Status }[]>
  /** The client goes away. */
  close(): void
  /** The client takes no more until `drain`. */
  stall(): void
  drain(): void
  readonly finished: Promise<void>
}

/** One replica's endpoints over a store, spoken to without sockets. */
export interface EndpointKit {
  readonly store: Store
  readonly scheme: Scheme
  readonly registry: Registry
  readonly resources: Resources
  readonly served: ServedGroups
  readonly feed: Feed
  request(method: string, url: string, options?: RequestOptions): Promise<Answer>
  watch(url: string, options?: RequestOptions): Promise<Stream>
  /** A watch of a client in this process; ends with the kit. */
  watchObjects(url: string): Promise<readonly ObjectEvent[]>
  close(): Promise<void>
}

export interface KitOptions {
  /** Shared with another replica. */
  readonly store?: Store
  /** Wraps the store. */
  readonly over?: (store: Store) => Store
  readonly gates?: readonly string[]
  /** As --runtime-config. */
  readonly runtimeConfig?: Readonly<Record<string, boolean>>
  readonly plugins?: readonly AdmissionPlugin[]
  readonly metrics?: Metrics
  readonly cache?: Partial<FeedOptions>
  readonly ownership?: FieldOwnership
  /** Default: everybody may do everything. */
  readonly authorizer?: Authorizer
  readonly seed?: number
  /** Default: those that are built in. */
  readonly kinds?: readonly KindDefinition[]
  /** Asked about resources that are not mounted. */
  readonly missing?: ResourcesOptions['missing']
  readonly virtual?: (registry: Registry) => readonly VirtualHandler[]
}

export async function createEndpointKit(options: KitOptions = {}): Promise<EndpointKit> {
  const store = options.store ?? createMemoryStore({ clock: systemClock, log: silentLogger })
  const gate = (name: string): boolean => options.gates?.includes(name) ?? false
  const kinds = createKindSet(options.kinds ?? builtInKinds)
  const scheme = createScheme({ tables, kinds: kinds.get, gate })
  const metrics = options.metrics ?? silentMetrics
  const seen = options.over?.(store) ?? store
  const feed = createFeed(
    { store: seen, clock: systemClock, log: silentLogger, metrics },
    { prefix: '/registry/', ...options.cache },
  )
  const random = createSeededRandom(options.seed ?? 1)
  const registry = createRegistry({ scheme, kinds, feed, store: seen, clock: systemClock, random, gate })
  await feed.start()
  const namespaces = registry.resource({ group: '', resource: 'namespaces' })
  const lifecycle = createNamespaceLifecycle({
    clock: systemClock,
    cached: (name) => namespaces?.cache.peek(`/registry/namespaces/${name}`)?.object(),
    async live(name) {
      const found = await namespaces?.cache.get(`/registry/namespaces/${name}`, { at: { kind: 'latest' } })
      return found?.entry?.object()
    },
  })
  const admission = createAdmission([...(options.plugins ?? []), lifecycle], { metrics, clock: systemClock })
  const served = createServedGroups(selectServed(scheme, { runtimeConfig: options.runtimeConfig ?? {}, gate }))
  const largeWork = createLargeWork(
    {
      allowPrivileged: false,
      deleteCollectionWorkers: 64,
      emulation: undefined,
      eventTtlSeconds: 3600,
      garbageCollection: true,
      gates: Object.fromEntries((options.gates ?? []).map((name) => [name, true])),
      minRequestTimeoutMs: 1_800_000,
      runtimeConfig: options.runtimeConfig ?? {},
      storageMediaType: 'application/vnd.kubernetes.protobuf',
      storagePrefix: '/registry',
      storageVersions: {},
    },
    {
      admission,
      authorizer: options.authorizer ?? alwaysAllow,
      clock: systemClock,
      metrics,
      registry,
      egress: directEgress,
      resolve: () => Promise.reject(new Error('there are no services')),
      storeOf: () => seen,
      ...bundledThread(),
    },
  )
  const resources = createResources(
    {
      scheme,
      registry,
      admission,
      authorizer: options.authorizer ?? alwaysAllow,
      clock: systemClock,
      random,
      metrics,
      largeWork,
      ...(options.ownership ? { ownership: options.ownership } : {}),
    },
    {
      served,
      gate,
      virtual: options.virtual?.(registry) ?? [],
      ...(options.missing ? { missing: options.missing } : {}),
    },
  )
  return {
    store,
    scheme,
    registry,
    resources,
    served,
    feed,
    request: (method, url, request = {}) => exchange(resources, method, url, request),
    watch: (url, request = {}) => openWatch(resources, url, request),
    watchObjects: (url) => openObjectWatch(resources, url),
    async close() {
      await largeWork.close()
      await feed.close()
      if (!options.store) await store.close()
    },
  }
}

/** A thread of the sources takes three seconds of CPU to start, and most kits start one. */
function bundledThread(): { program?: URL } {
  const programs = process.env['PILOTHOUSE_PROGRAMS']
  return programs ? { program: pathToFileURL(join(programs, 'chunks/largework.js')) } : {}
}

const kitPieceBytes = 16 * 1024

async function exchange(resources: Resources, method: string, url: string, request: RequestOptions): Promise<Answer> {
  let sent: { status: number; headers: ResponseHeaders; parts: readonly Uint8Array[] } | undefined
  const { call, warnings } = createCall(method, url, request, request.signal ?? new AbortController().signal, {
    send(status, headers, body = new Uint8Array()) {
      sent = { status, headers, parts: body instanceof Uint8Array ? [body] : body }
    },
    async sendChunks(status, headers, chunks) {
      const parts: Uint8Array[] = []
      await nextTurn(systemClock)
      // As servers send it: another request may have its turn between any two pieces.
      for (const { buffer, from, length } of pieces(chunks, Infinity, () => Buffer.allocUnsafeSlow(kitPieceBytes))) {
        parts.push(buffer.subarray(from, from + length))
        await nextTurn(systemClock)
      }
      sent = { status, headers, parts }
    },
    stream() {
      throw new Error('the answer is a stream')
    },
    get started() {
      return sent !== undefined
    },
  })
  try {
    await resources.handle(call)
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    sent = { status: error.code, headers: {}, parts: [Buffer.from(JSON.stringify(error.toStatus()))] }
  }
  if (!sent) throw new Error('no answer')
  const { status, headers, parts } = sent
  // Put together when a test looks: that takes longer than a server may hold the event loop.
  return {
    status,
    headers,
    warnings,
    get bytes() {
      return Buffer.concat(parts)
    },
    get text() {
      return Buffer.concat(parts).toString()
    },
    get json() {
      return JSON.parse(Buffer.concat(parts).toString()) as Answer['json']
    },
  }
}

async function openWatch(resources: Resources, url: string, request: RequestOptions): Promise<Stream> {
  const chunks: Uint8Array[] = []
  const changed: (() => void)[] = []
  const leave = new AbortController()
  let opened: { status: number; headers: ResponseHeaders } | undefined
  let ended = false
  let stalled = false
  let onClose = (): void => {}
  let onDrain = (): void => {}
  const tell = (): void => {
    for (const run of changed.splice(0)) run()
  }
  const end = (): void => {
    ended = true
    tell()
  }
  const stream: ResponseStream = {
    write(chunk) {
      chunks.push(chunk instanceof Uint8Array ? chunk : Buffer.concat(chunk))
      tell()
      return !stalled
    },
    pendingBytes: 0,
    onDrain: (resume) => void (onDrain = resume),
    onClose: (closed) => void (onClose = closed),
    end,
    abort: end,
  }
  const { call } = createCall('GET', url, request, leave.signal, {
    send() {
      throw new Error('the answer is no stream')
    },
    sendChunks() {
      throw new Error('the answer is no stream')
    },
    stream(status, headers) {
      opened = { status, headers }
      tell()
      return stream
    },
    get started() {
      return opened !== undefined
    },
  })
  const finished = Promise.resolve(resources.handle(call))
  await Promise.race([finished, new Promise<void>((resolve) => changed.push(resolve))])
  if (!opened) throw new Error('the watch was not opened')
  const events = (): { type: string; object: ApiObject & Status }[] =>
    Buffer.concat(chunks)
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { type: string; object: ApiObject & Status })
  return {
    ...opened,
    chunks,
    get ended() {
      return ended
    },
    events,
    async until(count) {
      const deadline = Date.now() + 50_000
      while (events().length < count) {
        if (ended || Date.now() > deadline) throw new Error(`only ${events().length} of ${count} events came`)
        await Promise.race([
          new Promise<void>((resolve) => changed.push(resolve)),
          new Promise((resolve) => setTimeout(resolve, 50)),
        ])
      }
      return events()
    },
    close() {
      onClose()
      leave.abort(new Error('gone'))
    },
    stall: () => void (stalled = true),
    drain() {
      stalled = false
      const resume = onDrain
      onDrain = () => {}
      resume()
    },
    finished,
  }
}

function openObjectWatch(resources: Resources, url: string): Promise<readonly ObjectEvent[]> {
  const seen: ObjectEvent[] = []
  const none = (): never => {
    throw new Error('the answer is a watch of objects')
  }
  return new Promise((resolve, reject) => {
    const objects: ObjectExchange = {
      object: undefined,
      wantsDeleted: false,
      answer: none,
      answerList: none,
      watch() {
        resolve(seen)
        return { events: (events) => void seen.push(...events), end() {} }
      },
    }
    const responder = { send: none, sendChunks: none, stream: none, started: false }
    const { call } = createCall('GET', url, {}, new AbortController().signal, responder)
    Promise.resolve(resources.handle({ ...call, objects })).catch(reject)
  })
}

function createCall(
  method: string,
  url: string,
  { body, headers = {} }: RequestOptions,
  signal: AbortSignal,
  responder: Call['responder'],
): { call: Call; warnings: readonly string[] } {
  const mark = url.indexOf('?')
  const path = decodePath(mark < 0 ? url : url.slice(0, mark))
  const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1))
  const warnings: string[] = []
  const warned = new Set<string>()
  const bytes =
    body === undefined
      ? new Uint8Array()
      : body instanceof Uint8Array
        ? body
        : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const call: Call = {
    method,
    url,
    path,
    query,
    headers,
    remoteAddress: '127.0.0.1',
    httpVersion: '1.1',
    clientCertificates: () => undefined,
    info: parseRequestInfo(method, path, query),
    user: { name: 'tester', uid: '', groups: [mastersGroup], extra: {} },
    receivedAtMs: 0,
    signal,
    warnings: {
      add: (text) => {
        if (warned.has(text)) return
        warned.add(text)
        warnings.push(text)
      },
      list: () => warnings,
    },
    audit: { annotate() {} },
    body: () => Promise.resolve(bytes),
    bodyStream: () => Readable.from([bytes]),
    upgrade: undefined,
    responder,
  }
  return { call, warnings }
}
