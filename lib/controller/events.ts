import type { Event } from '../../api/gen/core/v1.ts'
import { resources } from '../../api/gen/resources.ts'
import type { Clock, Closable, Logger, Random } from '../base/index.ts'
import type { Client } from '../client/index.ts'
import { type ApiObject, type Frozen, formatTime, StatusError } from '../object/index.ts'
import { createEventCorrelator, type EventRecord, type EventType, type ReportedEvent } from './eventcorrelator.ts'

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

interface EventSinkDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly client: Client
}

/** Maximum number of events that wait, as in stock clients; further ones are dropped. */
const queueMax = 1000
/** Concurrent writes: they share commits of the store, and a slow one does not delay the others. */
const writesAtOnce = 8
const triesMax = 12
const retryMs = 10_000
const messageBytesMax = 1024
/** How long `close` waits for events that are being written. */
const closeMsMax = 500

/**
 * Writes events in the background, several at a time, but those of one Event object one after the other. Which events share
 * an object, and which are dropped, is decided by the correlator; events that join an object while it waits for
 * its write, or while another write of it is under way, are written together.
 */
export function createEventSink({ clock, random, log, client }: EventSinkDependencies, source: EventSource): EventSink {
  const events = client.resource(resources.core.v1.events)
  const correlator = createEventCorrelator(random)
  const reported: ReportedEvent[] = []
  /** Records to be written, by key, in the order of their first event. */
  const waiting = new Map<string, EventRecord>()
  const underWay = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  const late = new AbortController()
  const { signal } = late
  let isScheduled = false

  /** Writes all that the record has by now. */
  async function write(record: EventRecord): Promise<void> {
    waiting.delete(record.key)
    const { name, count, isWritten } = record
    const event = eventOf(record, source)
    if (isWritten) {
      const { namespace, lastTimestamp, message } = { ...event, ...event.metadata }
      try {
        await events.patch({ namespace, name }, 'strategic', { count, lastTimestamp, message }, { signal })
        return
      } catch (error) {
        // 404: the event has expired, and is created again with its count.
        if (!(error instanceof StatusError) || error.code !== 404) throw error
      }
    }
    try {
      await events.create(event, { signal })
    } catch (error) {
      // An earlier try created it, and its answer was lost: no other client makes this name.
      if (!(error instanceof StatusError) || error.reason !== 'AlreadyExists') throw error
    }
    record.isWritten = true
  }

  async function tryWrite(record: EventRecord): Promise<void> {
    for (let attempt = 1; attempt <= triesMax; attempt++) {
      try {
        return await write(record)
      } catch (error) {
        // An answer of the server is final; lost requests are retried.
        if (error instanceof StatusError || stopping.signal.aborted || attempt === triesMax) {
          log.verbose(4, 'an event was not written', { reason: record.latest.reason, error })
          return
        }
        const pauseMs = attempt === 1 ? retryMs * random.fraction() : retryMs
        await clock.sleep(pauseMs, stopping.signal).catch(() => {})
        // The sink was closed meanwhile.
        if (stopping.signal.aborted) return
      }
    }
  }

  function startWrites(): void {
    for (const [key, record] of waiting) {
      if (underWay.size >= writesAtOnce) return
      if (underWay.has(key)) continue
      const written = tryWrite(record).finally(() => {
        underWay.delete(key)
        startWrites()
      })
      underWay.set(key, written)
    }
  }

  /** After the turn that reported the events. */
  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    clock.soon(() => {
      isScheduled = false
      for (const event of reported.splice(0)) {
        const record = correlator.observe(event)
        if (record) waiting.set(record.key, record)
      }
      startWrites()
    })
  }

  return {
    get isBusy() {
      return reported.length + waiting.size + underWay.size > 0
    },
    event(about, type, reason, message) {
      if (stopping.signal.aborted || reported.length + waiting.size >= queueMax) return
      reported.push({ about, type, reason, message, atMs: clock.now(), monotonicMs: clock.monotonicMs() })
      schedule()
    },
    async close() {
      stopping.abort(new Error('the recorder is closed'))
      reported.length = 0
      waiting.clear()
      const timer = clock.after(closeMsMax, () => late.abort(new Error('the server does not answer')))
      await Promise.all(underWay.values())
      void timer.close()
    },
  }
}

function eventOf(
  { latest: { about, type, reason, message, atMs }, name, firstTimestamp, count }: EventRecord,
  source: EventSource,
): Event {
  const { namespace = '', name: aboutName = '', uid = '', resourceVersion } = about.metadata
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: namespace === '' ? 'default' : namespace },
    involvedObject: {
      apiVersion: about.apiVersion,
      kind: about.kind,
      name: aboutName,
      namespace: namespace || undefined,
      uid: uid || undefined,
      resourceVersion,
    },
    reason,
    message: cut(message),
    type,
    source,
    firstTimestamp,
    lastTimestamp: formatTime(atMs),
    count,
    reportingComponent: source.component,
    reportingInstance: source.host ?? '',
  }
}

/** Servers refuse longer messages. */
function cut(message: string): string {
  if (Buffer.byteLength(message) <= messageBytesMax) return message
  return Buffer.from(message).subarray(0, messageBytesMax).toString().replace(/�$/, '')
}
