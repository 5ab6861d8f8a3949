import type { Revision } from '../../lib/object/index.ts'
import type { Store, StoreError, StoreEvent, StoreWatch, StoreWatchSink } from '../../lib/storage/index.ts'

type ReadName = 'range' | 'get' | 'currentRevision'

/** A store whose reads and watches a test can delay, break and hold back. Writes go through unharmed. */
export interface FaultyStore extends Store {
  /** While true, watches deliver only what `deliver` lets through. */
  held: boolean
  /** False: requestProgress answers that the store can't. */
  progressSupported: boolean
  /** Runs before each read begins; may wait or throw. */
  beforeRead: ((what: ReadName) => Promise<void> | void) | undefined
  /** Runs once a read's answer is made, before it arrives. */
  afterRead: ((what: ReadName) => Promise<void> | void) | undefined
  /** Lets through up to `max` events of every watch, and what is between them. */
  deliver(max?: number): void
  /** Ends every watch; undelivered events are lost. */
  breakWatches(error: StoreError): void
}

type Item = { event: StoreEvent } | { progress: Revision } | { end: StoreError }

interface Stream {
  readonly sink: StoreWatchSink
  readonly inner: StoreWatch
  items: Item[]
  closed: boolean
}

export function createFaultyStore(inner: Store): FaultyStore {
  const streams = new Set<Stream>()

  async function read<T>(what: ReadName, answer: () => Promise<T>): Promise<T> {
    await store.beforeRead?.(what)
    const answered = await answer()
    await store.afterRead?.(what)
    return answered
  }

  function take(stream: Stream, items: readonly Item[]): void {
    stream.items.push(...items)
    if (!store.held) deliverTo(stream, Number.POSITIVE_INFINITY)
  }

  function deliverTo(stream: Stream, max: number): void {
    let left = max
    let events: StoreEvent[] = []
    const flush = (): void => {
      if (events.length > 0) stream.sink.onEvents(events)
      events = []
    }
    for (let item = stream.items[0]; item && !stream.closed; item = stream.items[0]) {
      if ('event' in item) {
        if (left-- <= 0) break
        events.push(item.event)
      } else {
        flush()
        if ('progress' in item) stream.sink.onProgress(item.progress)
        else end(stream, item.end)
      }
      stream.items.shift()
    }
    flush()
  }

  function end(stream: Stream, error: StoreError): void {
    if (stream.closed) return
    stream.closed = true
    streams.delete(stream)
    stream.inner.close()
    stream.sink.onEnd(error)
  }

  const store: FaultyStore = {
    held: false,
    progressSupported: true,
    beforeRead: undefined,
    afterRead: undefined,
    name: inner.name,
    get: (key, options) => read('get', () => inner.get(key, options)),
    range: (options) => read('range', () => inner.range(options)),
    currentRevision: (options) => read('currentRevision', () => inner.currentRevision(options)),
    create: (key, value, options) => inner.create(key, value, options),
    update: (key, value, expected, options) => inner.update(key, value, expected, options),
    delete: (key, expected, options) => inner.delete(key, expected, options),
    compact: (revision) => inner.compact(revision),
    ping: (options) => inner.ping(options),
    compactedRevision: () => inner.compactedRevision(),
    members: () => inner.members(),
    watch(options, sink) {
      const watch = inner.watch(options, {
        onEvents: (events) =>
          take(
            stream,
            events.map((event) => ({ event })),
          ),
        onProgress: (progress) => take(stream, [{ progress }]),
        onEnd: (error) => {
          if (!stream.closed) take(stream, [{ end: error }])
        },
      })
      const stream: Stream = { sink, inner: watch, items: [], closed: false }
      streams.add(stream)
      return {
        requestProgress: () => store.progressSupported && watch.requestProgress(),
        close() {
          stream.closed = true
          streams.delete(stream)
          watch.close()
        },
      }
    },
    deliver(max = Number.POSITIVE_INFINITY) {
      for (const stream of streams) deliverTo(stream, max)
    },
    breakWatches(error) {
      for (const stream of streams) end(stream, error)
    },
    close: () => inner.close(),
  }
  return store
}
