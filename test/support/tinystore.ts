import { noRevision, type Revision } from '../../lib/object/index.ts'
import {
  type RangeOptions,
  type RangeResult,
  type Store,
  type StoredValue,
  StoreError,
  type StoreEvent,
  type StoreWatch,
  type StoreWatchOptions,
  type StoreWatchSink,
  type WriteResult,
} from '../../lib/storage/index.ts'

interface Stream {
  readonly options: StoreWatchOptions
  readonly sink: StoreWatchSink
  /** Index into the log of the next event to deliver. */
  next: number
  closed: boolean
  progressWanted: boolean
}

/** A test's controls of the store. */
export interface TinyStore extends Store {
  /** While true, watches deliver nothing by themselves: see `deliver`. */
  held: boolean
  /** Answers to requestProgress. */
  progressSupported: boolean
  /** Calls so far. */
  readonly counts: { currentRevision: number; range: number; get: number; requestProgress: number }
  /** Runs before each read is answered; may wait or throw. */
  beforeRead: ((what: 'range' | 'get' | 'currentRevision') => Promise<void> | void) | undefined
  /** Runs once a read's answer is made, before it arrives. */
  afterRead: ((what: 'range' | 'get' | 'currentRevision') => Promise<void> | void) | undefined
  /** Delivers up to `max` waiting events to every watch, and progress that was asked for once all is delivered. */
  deliver(max?: number): void
  /** Ends every watch. */
  breakWatches(error: StoreError): void
  put(key: string, value: Uint8Array): Revision
  remove(key: string): Revision
  /** Creates keys in one transaction: they share a revision. */
  createAll(keys: readonly string[], value: Uint8Array): Revision
  readonly revision: Revision
}

/**
 * A store as plain as can be: one array of all events ever, every read a scan of it. Deliveries can be held back, so
 * that a test decides when the feed receives what. Only for tests of users of a store.
 */
export function createTinyStore(): TinyStore {
  const log: StoreEvent[] = []
  const streams = new Set<Stream>()
  const head = new Map<string, StoredValue>()
  let revision = 1 as Revision
  let compacted = noRevision

  function stateAt(at: Revision): Map<string, StoredValue> {
    if (at === revision) return head
    const state = new Map<string, StoredValue>()
    for (const event of log) {
      if (event.revision > at) break
      if (event.type === 'delete') state.delete(event.key)
      else state.set(event.key, storedOf(event))
    }
    return state
  }

  function readable(at: Revision | undefined): Revision {
    if (at === undefined) return revision
    if (at < compacted) throw new StoreError('compacted', 'compacted', { revision: compacted })
    if (at > revision) throw new StoreError('future-revision', 'future revision')
    return at
  }

  function append(event: StoreEvent): Revision {
    log.push(event)
    revision = event.revision
    if (event.type === 'put') head.set(event.key, storedOf(event))
    else head.delete(event.key)
    if (!store.held) store.deliver()
    return revision
  }

  function write(key: string, value: Uint8Array | undefined, expected: Revision | undefined): WriteResult {
    const current = head.get(key)
    if ((current?.modRevision ?? noRevision) !== expected) return { ok: false, current, revision }
    return { ok: true, revision: value ? store.put(key, value) : store.remove(key) }
  }

  async function read<T>(what: 'range' | 'get' | 'currentRevision', answer: () => T): Promise<T> {
    store.counts[what]++
    await store.beforeRead?.(what)
    await Promise.resolve()
    const answered = answer()
    await store.afterRead?.(what)
    return answered
  }

  function range({ start, end, limit = 0, revision: at, countOnly }: RangeOptions): RangeResult {
    const shown = readable(at)
    const all = [...stateAt(shown).values()].filter(({ key }) => key >= start && key < end)
    all.sort((a, b) => (a.key < b.key ? -1 : 1))
    const values = countOnly ? [] : limit > 0 ? all.slice(0, limit) : all
    return { values, more: values.length < all.length, count: all.length, revision: shown }
  }

  function deliverTo(stream: Stream, max: number): void {
    const { start, end, fromRevision } = stream.options
    const events: StoreEvent[] = []
    while (stream.next < log.length && events.length < max) {
      const event = log[stream.next++]
      if (event && event.key >= start && event.key < end && event.revision >= fromRevision) events.push(event)
    }
    if (events.length > 0 && !stream.closed) stream.sink.onEvents(events)
    if (!stream.progressWanted || stream.next < log.length || stream.closed) return
    stream.progressWanted = false
    stream.sink.onProgress(revision)
  }

  const store: TinyStore = {
    name: 'memory',
    held: false,
    progressSupported: true,
    counts: { currentRevision: 0, range: 0, get: 0, requestProgress: 0 },
    beforeRead: undefined,
    afterRead: undefined,
    get revision() {
      return revision
    },
    get: (key, options) =>
      read('get', () => {
        const shown = readable(options?.revision)
        return { value: stateAt(shown).get(key), revision: shown }
      }),
    range: (options) => read('range', () => range(options)),
    currentRevision: () => read('currentRevision', () => revision),
    create: async (key, value) => write(key, value, noRevision),
    update: async (key, value, expected) => write(key, value, expected),
    delete: async (key, expected) => write(key, undefined, expected),
    put(key, value) {
      const next = (revision + 1) as Revision
      const createRevision = head.get(key)?.createRevision ?? next
      return append({ type: 'put', key, value, createRevision, revision: next })
    },
    remove: (key) =>
      append({
        type: 'delete',
        key,
        value: new Uint8Array(),
        createRevision: noRevision,
        revision: (revision + 1) as Revision,
      }),
    createAll(keys, value) {
      const next = (revision + 1) as Revision
      const { held } = store
      store.held = true
      for (const key of keys) append({ type: 'put', key, value, createRevision: next, revision: next })
      store.held = held
      if (!held) store.deliver()
      return next
    },
    watch(options, sink): StoreWatch {
      const stream: Stream = { options, sink, next: 0, closed: false, progressWanted: false }
      if (options.fromRevision <= compacted) {
        queueMicrotask(() => sink.onEnd(new StoreError('compacted', 'compacted', { revision: compacted })))
        return { requestProgress: () => true, close() {} }
      }
      streams.add(stream)
      queueMicrotask(() => {
        if (!store.held) deliverTo(stream, Number.POSITIVE_INFINITY)
      })
      return {
        requestProgress() {
          store.counts.requestProgress++
          if (!store.progressSupported) return false
          stream.progressWanted = true
          queueMicrotask(() => {
            if (!store.held) deliverTo(stream, Number.POSITIVE_INFINITY)
          })
          return true
        },
        close() {
          stream.closed = true
          streams.delete(stream)
        },
      }
    },
    deliver(max = Number.POSITIVE_INFINITY) {
      for (const stream of streams) deliverTo(stream, max)
    },
    breakWatches(error) {
      for (const stream of streams) {
        stream.closed = true
        streams.delete(stream)
        stream.sink.onEnd(error)
      }
    },
    async compact(at) {
      if (at > compacted) compacted = at
    },
    ping: async () => undefined,
    compactedRevision: () => compacted,
    members: async () => [],
    async close() {
      store.breakWatches(new StoreError('closed', 'closed'))
    },
  }
  return store
}

function storedOf({ key, value, createRevision, revision }: StoreEvent): StoredValue {
  return { key, value, createRevision, modRevision: revision }
}
