import type { Event, ObjectReference } from '../../api/gen/core/v1.ts'
import { resources } from '../../api/gen/resources.ts'
import type { Clock, Closable, Logger, Random } from '../base/index.ts'
import type { Client } from '../client/index.ts'
import { type ApiObject, type Frozen, formatTime, StatusError } from '../object/index.ts'
import { createEventCorrelator, type EventRecord, type EventType, type ReportedEvent } from './eventcorrelator.ts'
import { createEventWriter } from './eventwriter.ts'

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
const messageBytesMax = 1024

/**
 * Writes events in the background. Which events share an Event object, and which are dropped, is decided by the correlator;
 * events that join an object while it waits for its write, or while another write of it is under way, are written together.
 */
export function createEventSink({ clock, random, log, client }: EventSinkDependencies, source: EventSource): EventSink {
  const events = client.resource(resources.core.v1.events)
  const correlator = createEventCorrelator(random)
  const reported: ReportedEvent[] = []
  const writer = createEventWriter<EventRecord>({ clock, random, log }, write)
  let isScheduled = false
  let isClosed = false

  /** Writes all that the record has by now. */
  async function write(record: EventRecord, signal: AbortSignal): Promise<void> {
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

  /** After the turn that reported the events. */
  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    clock.soon(() => {
      isScheduled = false
      // All are counted before the first is written.
      const records = new Set(reported.splice(0).flatMap((event) => correlator.observe(event) ?? []))
      for (const record of records) writer.put(record.key, record)
    })
  }

  return {
    get isBusy() {
      return reported.length > 0 || writer.isBusy
    },
    event(about, type, reason, message) {
      if (isClosed || reported.length + writer.waiting >= queueMax) return
      const [atMs, monotonicMs] = [clock.now(), clock.monotonicMs()]
      reported.push({ about: withoutContents(about), type, reason, message, atMs, monotonicMs })
      schedule()
    },
    async close() {
      isClosed = true
      reported.length = 0
      await writer.close()
    },
  }
}

function eventOf(
  { latest: { about, type, reason, message, atMs }, name, firstTimestamp, count }: EventRecord,
  source: EventSource,
): Event {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: namespaceOfEvent(about) },
    involvedObject: referenceTo(about),
    reason,
    message: cutMessage(message),
    type,
    source,
    firstTimestamp,
    lastTimestamp: formatTime(atMs),
    count,
    reportingComponent: source.component,
    reportingInstance: source.host ?? '',
  }
}

/** Thousands of records are kept, and the objects with them. */
function withoutContents({ apiVersion, kind, metadata }: Frozen<ApiObject>): Frozen<ApiObject> {
  const { namespace, name, uid, resourceVersion } = metadata
  return { apiVersion, kind, metadata: { namespace, name, uid, resourceVersion } }
}

/** Events about objects of the cluster are in this namespace. */
export function namespaceOfEvent({ metadata }: Frozen<ApiObject>): string {
  return metadata.namespace || 'default'
}

export function referenceTo({ apiVersion, kind, metadata }: Frozen<ApiObject>): ObjectReference {
  const { namespace, name = '', uid, resourceVersion } = metadata
  return { apiVersion, kind, name, namespace: namespace || undefined, uid: uid || undefined, resourceVersion }
}

/** Servers refuse longer messages. */
export function cutMessage(message: string): string {
  if (Buffer.byteLength(message) <= messageBytesMax) return message
  return Buffer.from(message).subarray(0, messageBytesMax).toString().replace(/�$/, '')
}
