import type { CacheWatchEvent } from '../../cache/index.ts'
import type { Negotiated, ResponseHeaders, ResponseStream } from '../../request/index.ts'
import type { Batch } from './batch.ts'
import type { Asked, WatchAnswer } from './rendering.ts'

/** YAML is not streamed. */
const headersOf: Readonly<Partial<Record<Negotiated['format'], ResponseHeaders>>> = {
  json: { 'content-type': 'application/json' },
  protobuf: { 'content-type': 'application/vnd.kubernetes.protobuf;stream=watch' },
  cbor: { 'content-type': 'application/cbor-seq' },
}

/** An endless answer with one frame for each event, and the metrics of its frames. */
export class FrameStream implements WatchAnswer {
  readonly #asked: Asked
  readonly #encode: (events: readonly CacheWatchEvent[]) => Batch
  readonly #events: { add(by: number): void }
  readonly #sizes: { observe(value: number): void }
  #stream: ResponseStream | undefined
  #close: () => void = () => {}
  /** The bookmark that ends the initial events has not been sent yet. */
  #awaitsEnd = false

  constructor(asked: Asked, encode: (events: readonly CacheWatchEvent[]) => Batch) {
    this.#asked = asked
    this.#encode = encode
    const { endpoint, services } = asked
    const labels = [endpoint.gvr.group, endpoint.gvr.resource, endpoint.gvr.version]
    this.#events = services.watchMetrics.events.at(labels)
    this.#sizes = services.watchMetrics.sizes.at(labels)
  }

  begin({ close, initialEventsEnd }: { close(): void; readonly initialEventsEnd: boolean }): void {
    const { call, negotiated } = this.#asked
    this.#close = close
    this.#awaitsEnd = initialEventsEnd
    this.#stream = call.responder.stream(200, headersOf[negotiated.format] ?? {})
    this.#stream.onClose(close)
  }

  deliver(events: readonly CacheWatchEvent[], resume: () => void): boolean {
    const stream = this.#stream
    if (!stream) return true
    let batch: Batch
    try {
      batch = this.#encode(events)
    } catch {
      // An unreadable object must not be skipped: the client lists again and gets the reason.
      stream.abort()
      this.#close()
      return false
    }
    for (const bytes of batch.sizes) this.#sizes.observe(bytes)
    this.#events.add(batch.frames)
    if (this.#awaitsEnd && events.some((event) => event.initialEventsEnd)) this.#countSync()
    if (stream.write(batch.parts)) return true
    stream.onDrain(resume)
    return false
  }

  end(): void {
    this.#stream?.end()
  }

  #countSync(): void {
    this.#awaitsEnd = false
    const { call, endpoint, services } = this.#asked
    const { clock, watchMetrics } = services
    const { group, resource, version } = endpoint.gvr
    const scope = call.info.name !== '' ? 'resource' : call.info.namespace !== '' ? 'namespace' : 'cluster'
    watchMetrics.untilSynced.observe([group, resource, scope, version], (clock.now() - call.receivedAtMs) / 1000)
  }
}
