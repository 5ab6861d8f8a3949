import type { Clock } from '../../base/index.ts'
import type { CacheWatch, CacheWatchEvent, CacheWatchSink, WatchFrom } from '../../cache/index.ts'
import { StatusError } from '../../object/index.ts'
import { type Call, type ListRequestOptions, parseListOptions } from '../../request/index.ts'
import { errorEvent } from '../answer/errorevent.ts'
import type { WatchAnswer } from '../answer/rendering.ts'
import { renderingOf } from '../answer/renderingof.ts'
import { watchSelected } from '../answer/watchselected.ts'
import { holdConverted, whileHeld } from '../answer/withconverted.ts'
import type { Endpoint } from '../endpoint.ts'
import type { EndpointServices } from '../endpointservices.ts'
import { scopeOf } from '../request/collectionscope.ts'
import { parseRevision } from '../request/readconsistency.ts'

/** An endless answer with one frame for each event. `pathName`: the name in the older path of one object. */
export async function watch(
  call: Call,
  endpoint: Endpoint,
  services: EndpointServices,
  pathName: string,
): Promise<void> {
  const rendering = renderingOf(call, endpoint, services, 'stream')
  const options = parseListOptions(call.query, {
    watchList: services.watchList,
    shards: services.shards,
    forceWatch: true,
  })
  const { start, end, selection } = scopeOf(call, endpoint, options, pathName)
  const timeoutMs = timeoutOf(options, services)
  const { predicate } = selection
  const initialEventsEnd = options.sendInitialEvents === true && options.allowWatchBookmarks
  const from = fromOf(options)
  const session = new Session(call, endpoint, services, rendering.watch())
  // Clients in this process get no encoded answer.
  if (call.objects) session.onBegun()
  const watching = await watchSelected(
    endpoint,
    {
      start,
      end,
      from,
      bookmarks: options.allowWatchBookmarks,
      initialEventsEnd,
      timeoutMs,
      signal: call.signal,
      predicate,
    },
    session,
  )
  if (from.kind !== 'state') session.onBegun()
  const running = session.run(watching, { initialEventsEnd, timeoutMs })
  return options.shardSelector === '' ? running : countedAsShard(running, endpoint, services)
}

async function countedAsShard(
  running: Promise<void>,
  { gvr: { group, resource } }: Endpoint,
  { watchMetrics: { sharded } }: EndpointServices,
): Promise<void> {
  sharded?.add([group, resource], 1)
  try {
    await running
  } finally {
    sharded?.add([group, resource], -1)
  }
}

function fromOf(options: ListRequestOptions): WatchFrom {
  const { resourceVersion, sendInitialEvents } = options
  const revision =
    resourceVersion === '' ? undefined : parseRevision(resourceVersion, (why) => new StatusError(500, '', why))
  const at = revision === undefined ? ({ kind: 'latest' } as const) : ({ kind: 'any' } as const)
  if (sendInitialEvents === false && (revision === undefined || revision === 0)) return { kind: 'now', at }
  if (revision === undefined || revision === 0) return { kind: 'state', at }
  if (sendInitialEvents) return { kind: 'state', at: { kind: 'notOlderThan', revision } }
  return { kind: 'after', revision }
}

/** The ends of watches without a timeout are spread, so that their clients don't all reconnect at once. */
function timeoutOf(
  { timeoutSeconds }: ListRequestOptions,
  { minRequestTimeoutSeconds, random }: EndpointServices,
): number {
  const seconds =
    timeoutSeconds === undefined || timeoutSeconds === 0
      ? minRequestTimeoutSeconds * (1 + random.fraction())
      : timeoutSeconds
  return Math.min(Math.max(0, seconds) * 1000, timeoutMsMax)
}

/** The maximum delay of a timer. */
const timeoutMsMax = 2 ** 31 - 1

interface SessionOptions {
  readonly initialEventsEnd: boolean
  readonly timeoutMs: number
}

/** One client's watch: answers the cache's events, and pauses while the client is behind. */
class Session implements CacheWatchSink {
  readonly #call: Call
  readonly #endpoint: Endpoint
  readonly #clock: Clock
  readonly #answer: WatchAnswer
  readonly #over = Promise.withResolvers<void>()
  #watching: CacheWatch | undefined
  #isOver = false

  constructor(call: Call, endpoint: Endpoint, { clock }: EndpointServices, answer: WatchAnswer) {
    this.#call = call
    this.#endpoint = endpoint
    this.#clock = clock
    this.#answer = answer
  }

  /** Resolves when the watch is over, for whatever reason. */
  async run(watching: CacheWatch, { initialEventsEnd, timeoutMs }: SessionOptions): Promise<void> {
    const close = (): void => watching.close()
    this.#watching = watching
    this.#answer.begin({ close, initialEventsEnd })
    const timer = this.#clock.after(timeoutMs, close)
    await this.#over.promise
    void timer.close()
  }

  onEvents(events: readonly CacheWatchEvent[]): boolean {
    const delivering = whileHeld(this.#hold(events), () => this.#deliver(events))
    if (typeof delivering === 'boolean') return delivering
    void this.#goOnAfter(delivering)
    return false
  }

  #hold(events: readonly CacheWatchEvent[]): ReturnType<typeof holdConverted> {
    if (!this.#endpoint.codec.prepare) return undefined
    try {
      const entries = events.flatMap(({ entry }) => entry ?? [])
      return holdConverted(this.#endpoint, entries)
    } catch {
      return undefined // An unreadable object can't be answered; the delivery reports it.
    }
  }

  #deliver(events: readonly CacheWatchEvent[]): boolean {
    return this.#isOver || this.#answer.deliver(events, this.#resume)
  }

  /** No events arrive until these are delivered. */
  async #goOnAfter(delivering: Promise<boolean>): Promise<void> {
    try {
      if (await delivering) this.#resume()
    } catch (error) {
      this.#deliver([errorEvent(error)])
      this.#watching?.close()
    }
  }

  readonly #resume = (): void => this.#watching?.resume()

  onBegun(): void {
    this.#call.begun?.()
  }

  onEnd(): void {
    this.#isOver = true
    this.#answer.end()
    this.#over.resolve()
  }
}
