import type { CacheWatch, CacheWatchSink, FrameEncoding, WatchEvent, WatchFrom } from '../../cache/index.ts'
import { StatusError, toResourceVersion } from '../../object/index.ts'
import {
  type Call,
  type ListOptions,
  type Negotiated,
  parseListOptions,
  type ResponseHeaders,
  type ResponseStream,
} from '../../request/index.ts'
import type { HeldConversions } from '../../scheme/index.ts'
import { Batch } from '../answer/batch.ts'
import { errorEvent } from '../answer/errorevent.ts'
import { parseIncludeObject, rowEncoder, rowSourceOf, rowSourceOfEntry, tableItem } from '../answer/table.ts'
import { transformedGvk } from '../answer/transformed.ts'
import { watchObjects } from '../answer/watchobjects.ts'
import { watchSelected } from '../answer/watchselected.ts'
import { bookmarkObject, type Endpoint } from '../endpoint.ts'
import { parseRevision } from '../request/readconsistency.ts'
import { scopeOf } from '../request/scope.ts'
import type { Services } from '../services.ts'

/** An endless answer with one frame an event. `pathName`: by the older path of one object. */
export async function watch(call: Call, endpoint: Endpoint, services: Services, pathName: string): Promise<void> {
  const negotiated = endpoint.negotiator.stream(call.headers['accept'])
  const options = parseListOptions(call.query, { watchList: services.watchList, forceWatch: true })
  const { start, end, selection } = scopeOf(call, endpoint, options, pathName)
  const timeoutMs = timeoutOf(options, services)
  const { predicate } = selection
  const initialEventsEnd = options.sendInitialEvents === true && options.allowWatchBookmarks
  const watched = {
    start,
    end,
    from: fromOf(options),
    bookmarks: options.allowWatchBookmarks,
    initialEventsEnd,
    timeoutMs,
    signal: call.signal,
    ...(predicate ? { predicate } : {}),
  }
  if (call.objects) {
    // Nothing is encoded for these.
    call.begun?.()
    return watchObjects(call.objects, endpoint, services, negotiated, watched)
  }
  const encode = encoderOf(call, endpoint, services, negotiated)
  const session = new Session(call, services, encode, endpoint, initialEventsEnd)
  const watching = await watchSelected(endpoint, watched, session)
  if (watched.from.kind !== 'state') call.begun?.()
  return session.run(watching, negotiated, timeoutMs)
}

function fromOf(options: ListOptions): WatchFrom {
  const { resourceVersion, sendInitialEvents } = options
  const revision =
    resourceVersion === '' ? undefined : parseRevision(resourceVersion, (why) => new StatusError(500, '', why))
  const at = revision === undefined ? ({ kind: 'latest' } as const) : ({ kind: 'any' } as const)
  if (sendInitialEvents === false && (revision === undefined || revision === 0)) return { kind: 'now', at }
  if (revision === undefined || revision === 0) return { kind: 'state', at }
  if (sendInitialEvents) return { kind: 'state', at: { kind: 'notOlderThan', revision } }
  return { kind: 'after', revision }
}

/** Watches that name no end are spread, so that their clients don't all come back at once. */
function timeoutOf({ timeoutSeconds }: ListOptions, { minRequestTimeoutSeconds, random }: Services): number {
  const seconds =
    timeoutSeconds === undefined || timeoutSeconds === 0
      ? minRequestTimeoutSeconds * (1 + random.fraction())
      : timeoutSeconds
  return Math.min(Math.max(0, seconds) * 1000, timeoutMsMax)
}

/** The longest that a timer can wait. */
const timeoutMsMax = 2 ** 31 - 1

type EncodeEvents = (events: readonly WatchEvent[]) => Batch

function encoderOf(call: Call, endpoint: Endpoint, services: Services, negotiated: Negotiated): EncodeEvents {
  const { transform, format } = negotiated
  if (transform?.kind === 'Table') return tableEncoder(call, endpoint, services, negotiated, transform.version)
  const encoding: FrameEncoding = transform ? endpoint.partialFrame(format, transform.version) : endpoint.frame(format)
  return (events) => services.batches(events, encoding)
}

/** Rows of one event each; the columns come with the first only. */
function tableEncoder(
  call: Call,
  endpoint: Endpoint,
  { scheme, clock }: Services,
  { mediaType, format }: Negotiated,
  version: 'v1' | 'v1beta1',
): EncodeEvents {
  const includeObject = parseIncludeObject(call.query)
  const errors = endpoint.frame(format)
  const gvk = transformedGvk('Table', version)
  const frame = scheme.watchFramer(gvk, mediaType)
  let columns = true
  const encode = (event: WatchEvent): readonly Uint8Array[] => {
    if (event.error) return event.frame(errors)
    const { entry } = event
    const resourceVersion = toResourceVersion(entry?.revision ?? event.revision)
    const request = { version, includeObject, columns }
    columns = false
    const source = entry
      ? rowSourceOfEntry(endpoint, entry)
      : rowSourceOf(scheme, endpoint, bookmarkObject(event, endpoint.registry.definition.gvk))
    const row = rowEncoder(endpoint, request, clock.now())(source)
    const item = tableItem(endpoint, { resourceVersion }, request, [row])
    return frame(event.type, item)
  }
  return (events) => new Batch(events, encode)
}

/** YAML is not streamed. */
const streamHeaders: Readonly<Partial<Record<Negotiated['format'], ResponseHeaders>>> = {
  json: { 'content-type': 'application/json' },
  protobuf: { 'content-type': 'application/vnd.kubernetes.protobuf;stream=watch' },
  cbor: { 'content-type': 'application/cbor-seq' },
}

/** One client's watch: frames what the cache delivers, and stands still while the client is behind. */
class Session implements CacheWatchSink {
  readonly #call: Call
  readonly #services: Services
  readonly #encode: EncodeEvents
  readonly #endpoint: Endpoint
  readonly #events: { add(by: number): void }
  readonly #sizes: { observe(value: number): void }
  #stream: ResponseStream | undefined
  #watching: CacheWatch | undefined
  #finished: (() => void) | undefined
  #over = false
  /** Counts the time until the bookmark that ends the initial events; undefined when there is none to come. */
  #synced: (() => void) | undefined

  constructor(call: Call, services: Services, encode: EncodeEvents, endpoint: Endpoint, awaitsSync: boolean) {
    this.#call = call
    this.#services = services
    this.#encode = encode
    this.#endpoint = endpoint
    const labels = [endpoint.gvr.group, endpoint.gvr.resource, endpoint.gvr.version]
    this.#events = services.watchMetrics.events.at(labels)
    this.#sizes = services.watchMetrics.sizes.at(labels)
    if (awaitsSync) this.#synced = () => this.#countSync(endpoint)
  }

  /** Until the watch is over, for whatever reason. */
  run(watching: CacheWatch, { format }: Negotiated, timeoutMs: number): Promise<void> {
    this.#watching = watching
    const stream = this.#call.responder.stream(200, streamHeaders[format] ?? {})
    this.#stream = stream
    const timer = this.#services.clock.after(timeoutMs, () => watching.close())
    stream.onClose(() => watching.close())
    return new Promise<void>((resolve) => {
      this.#finished = () => {
        void timer.close()
        resolve()
      }
      if (this.#over) this.#finished()
    })
  }

  onEvents(events: readonly WatchEvent[]): boolean {
    const { codec, gvk } = this.#endpoint
    const entries = codec.prepare && events.flatMap(({ entry }) => entry ?? [])
    let held: HeldConversions | Promise<HeldConversions> | undefined
    try {
      held = entries && codec.prepare?.(entries, gvk)
    } catch {
      // An object that can't be read: told below.
    }
    if (!held) return this.#deliver(events)
    if (!(held instanceof Promise)) return this.#deliverHeld(held, events)
    void this.#deliverAfter(held, events)
    return false
  }

  #deliverHeld(held: HeldConversions, events: readonly WatchEvent[]): boolean {
    try {
      return this.#deliver(events)
    } finally {
      held.release()
    }
  }

  /** Nothing more comes until these are delivered. */
  async #deliverAfter(pending: Promise<HeldConversions>, events: readonly WatchEvent[]): Promise<void> {
    let held: HeldConversions
    try {
      held = await pending
    } catch (error) {
      if (this.#over) return
      this.#deliver([errorEvent(error)])
      this.#watching?.close()
      return
    }
    if (this.#over) held.release()
    else if (this.#deliverHeld(held, events)) this.#watching?.resume()
  }

  #deliver(events: readonly WatchEvent[]): boolean {
    const stream = this.#stream
    if (!stream) return true
    let batch: Batch
    try {
      batch = this.#encode(events)
    } catch {
      // An object that can't be read must not be skipped: the client starts anew and learns why.
      stream.abort()
      this.#watching?.close()
      return false
    }
    for (const bytes of batch.sizes) this.#sizes.observe(bytes)
    this.#events.add(batch.frames)
    if (this.#synced !== undefined && events.some((event) => event.initialEventsEnd)) this.#synced()
    if (stream.write(batch.parts)) return true
    stream.onDrain(this.#resume)
    return false
  }

  onBegun(): void {
    this.#call.begun?.()
  }

  #countSync({ gvr: { group, resource, version } }: Endpoint): void {
    this.#synced = undefined
    const { info, receivedAtMs } = this.#call
    const scope = info.name !== '' ? 'resource' : info.namespace !== '' ? 'namespace' : 'cluster'
    const { clock, watchMetrics } = this.#services
    watchMetrics.untilSynced.observe([group, resource, scope, version], (clock.now() - receivedAtMs) / 1000)
  }

  readonly #resume = (): void => this.#watching?.resume()

  onEnd(): void {
    this.#over = true
    this.#stream?.end()
    this.#finished?.()
  }
}
