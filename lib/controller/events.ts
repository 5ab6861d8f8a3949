import { LRUCache } from 'lru-cache'
import type { Event } from '../../api/gen/core/v1.ts'
import { resources } from '../../api/gen/resources.ts'
import type { Clock, Closable, Logger, Random } from '../base/index.ts'
import type { Client } from '../client/index.ts'
import { type ApiObject, type Frozen, formatTime, StatusError } from '../object/index.ts'

type EventType = 'Normal' | 'Warning'

/** Records events about objects for users. Recording never fails and never waits. */
export interface EventRecorder {
  event(about: Frozen<ApiObject>, type: EventType, reason: string, message: string): void
}

export interface EventSink extends EventRecorder, Closable {
  /** Events wait to be written, or are being written. */
  readonly isBusy: boolean
  /** Drops waiting events; resolves once those being written are written or have failed. */
  close(): Promise<void>
}

interface EventSource {
  readonly component: string
  readonly host?: string
}

/** The limits by which stock clients drop and merge events. */
const queueMax = 1000
/** Concurrent writes: they share commits of the store, and a slow one does not delay the others. */
const writesAtOnce = 8
const rememberedMax = 4096
const similarMax = 10
const similarMs = 600_000
const spamBurst = 25
const spamRefillMs = 300_000
const triesMax = 12
const retryMs = 10_000
const messageBytesMax = 1024
/** How long `close` waits for events that are being written. */
const closeMsMax = 500

interface Noted {
  readonly about: Frozen<ApiObject>
  readonly type: EventType
  readonly reason: string
  readonly message: string
  readonly atMs: number
  /** By the monotonic clock, so that limits keep their length when the wall clock is set. */
  readonly monotonicMs: number
}

interface Written {
  readonly name: string
  readonly namespace: string
  count: number
  readonly firstTimestamp: string
}

/** The state that later events depend on. */
interface Memory {
  readonly written: LRUCache<string, Written>
  readonly similar: LRUCache<string, { messages: Set<string>; sinceMs: number }>
  readonly budgets: LRUCache<string, { tokens: number; atMs: number }>
}

function createMemory(): Memory {
  // With `max`, every cache of every controller would allocate all its entries at the start.
  const room = { maxSize: rememberedMax, sizeCalculation: () => 1 }
  return { written: new LRUCache(room), similar: new LRUCache(room), budgets: new LRUCache(room) }
}

/**
 * Writes events in the background, in order where they are counted together. Equal events raise a count, more than
 * ten similar events in ten minutes become one, and events about one object are limited: 25 at once, then one in five
 * minutes.
 */
export function createEventSink(
  {
    clock,
    random,
    log,
    client,
  }: { readonly clock: Clock; readonly random: Random; readonly log: Logger; readonly client: Client },
  source: EventSource,
): EventSink {
  const events = client.resource(resources.core.v1.events)
  const waiting: Noted[] = []
  const memory = createMemory()
  const stopping = new AbortController()
  const late = new AbortController()
  const { signal } = late
  const writers = new Set<Promise<void>>()
  /** The latest unfinished write of each key. */
  const underWay = new Map<string, Promise<void>>()

  /** False: the events about the object have reached their limit for now. */
  function isAllowed({ about, type, monotonicMs: atMs }: Noted): boolean {
    const { budgets } = memory
    const key = `${aboutKey(about)}|${type}`
    const known = budgets.get(key) ?? { tokens: spamBurst, atMs }
    const tokens = Math.min(spamBurst, known.tokens + (atMs - known.atMs) / spamRefillMs)
    if (tokens < 1) return false
    budgets.set(key, { tokens: tokens - 1, atMs })
    return true
  }

  /** The key and message under which an event is counted; many similar events share one. */
  function merged({ about, type, reason, message, monotonicMs: atMs }: Noted): { key: string; message: string } {
    const { similar } = memory
    const group = `${aboutKey(about)}|${type}|${reason}`
    let known = similar.get(group)
    if (!known || atMs - known.sinceMs > similarMs) known = { messages: new Set(), sinceMs: atMs }
    known.messages.add(message)
    known.sinceMs = atMs
    similar.set(group, known)
    if (known.messages.size < similarMax) return { key: `${group}|${message}`, message }
    // The oldest message is dropped, so that the set stays small.
    for (const oldest of known.messages) {
      if (known.messages.size > similarMax) known.messages.delete(oldest)
      break
    }
    return { key: group, message: `(combined from similar events): ${message}` }
  }

  async function write(noted: Noted, key: string, message: string): Promise<void> {
    const { written } = memory
    const now = formatTime(noted.atMs)
    const known = written.get(key)
    if (known) {
      const count = known.count + 1
      const patch = { count, lastTimestamp: now, message: cut(message) }
      try {
        await events.patch(known, 'strategic', patch, { signal })
        known.count = count
        return
      } catch (error) {
        // 404: the event has expired, and is created again.
        if (!(error instanceof StatusError) || error.code !== 404) throw error
      }
    }
    const event = eventOf({ ...noted, message }, source, `${hexNanoseconds(noted.atMs, random)}`, now)
    await events.create(event, { signal })
    const { namespace = '', name = '' } = event.metadata
    written.set(key, { namespace, name, count: 1, firstTimestamp: now })
  }

  async function tryWrite(noted: Noted, key: string, message: string): Promise<void> {
    // The recorder was closed while this event waited.
    if (stopping.signal.aborted) return
    for (let attempt = 1; attempt <= triesMax; attempt++) {
      try {
        return await write(noted, key, message)
      } catch (error) {
        // An answer of the server is final; lost requests are retried.
        if (error instanceof StatusError || stopping.signal.aborted || attempt === triesMax) {
          log.verbose(4, 'an event was not written', { reason: noted.reason, error })
          return
        }
        const pauseMs = attempt === 1 ? retryMs * random.fraction() : retryMs
        await clock.sleep(pauseMs, stopping.signal).catch(() => {})
      }
    }
  }

  /** Waits for earlier events under the same key. */
  async function writeInOrder(noted: Noted): Promise<void> {
    const { key, message } = merged(noted)
    // The limit counts an event once, however often its write is retried.
    if (!isAllowed(noted)) return
    const before = underWay.get(key)
    const written = before ? before.then(() => tryWrite(noted, key, message)) : tryWrite(noted, key, message)
    underWay.set(key, written)
    await written
    if (underWay.get(key) === written) underWay.delete(key)
  }

  async function writeWaiting(): Promise<void> {
    for (let noted = waiting.shift(); noted; noted = waiting.shift()) await writeInOrder(noted)
  }

  function startWriter(): void {
    const writer = writeWaiting().finally(() => writers.delete(writer))
    writers.add(writer)
  }

  return {
    get isBusy() {
      return writers.size > 0
    },
    event(about, type, reason, message) {
      if (stopping.signal.aborted || waiting.length >= queueMax) return
      waiting.push({ about, type, reason, message, atMs: clock.now(), monotonicMs: clock.monotonicMs() })
      if (writers.size < writesAtOnce) startWriter()
    },
    async close() {
      stopping.abort(new Error('the recorder is closed'))
      waiting.length = 0
      const timer = clock.after(closeMsMax, () => late.abort(new Error('the server does not answer')))
      await Promise.all(writers)
      void timer.close()
    },
  }
}

function aboutKey({ kind, metadata: { namespace = '', name = '', uid = '' }, apiVersion }: Frozen<ApiObject>): string {
  return `${apiVersion}|${kind}|${namespace}|${name}|${uid}`
}

function eventOf({ about, type, reason, message }: Noted, source: EventSource, suffix: string, now: string): Event {
  const { namespace = '', name = '', uid = '', resourceVersion } = about.metadata
  const within = namespace === '' ? 'default' : namespace
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${suffix}`, namespace: within },
    involvedObject: {
      apiVersion: about.apiVersion,
      kind: about.kind,
      name,
      namespace: namespace || undefined,
      uid: uid || undefined,
      resourceVersion,
    },
    reason,
    message: cut(message),
    type,
    source,
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
    reportingComponent: source.component,
    reportingInstance: source.host ?? '',
  }
}

/** Names of events end in the time in nanoseconds; digits below the clock's resolution are random. */
function hexNanoseconds(nowMs: number, random: Random): string {
  return (BigInt(Math.floor(nowMs)) * 1_000_000n + BigInt(random.below(1_000_000))).toString(16)
}

/** Servers refuse longer messages. */
function cut(message: string): string {
  if (Buffer.byteLength(message) <= messageBytesMax) return message
  return Buffer.from(message).subarray(0, messageBytesMax).toString().replace(/�$/, '')
}
