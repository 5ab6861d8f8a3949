import { LRUCache } from 'lru-cache'
import type { Event } from '../../api/gen/events.k8s.io/v1.ts'
import { resources } from '../../api/gen/resources.ts'
import type { Clock, Closable, Logger, Random } from '../base/index.ts'
import type { Client } from '../client/index.ts'
import { type ApiObject, type Frozen, formatMicroTime, StatusError } from '../object/index.ts'
import { type EventType, nameOfEvent } from './eventcorrelator.ts'
import { cutMessage, namespaceOfEvent, referenceTo } from './events.ts'
import { createEventWriter } from './eventwriter.ts'

interface SeriesEvent {
  readonly type: EventType
  readonly reason: string
  /** The reporter's action, done or tried: `Binding`. */
  readonly action: string
  readonly note: string
  /** Another object that took part. */
  readonly related?: Frozen<ApiObject>
}

/** Records events of events.k8s.io about objects. Recording never fails and never waits. */
export interface SeriesRecorder {
  record(about: Frozen<ApiObject>, event: SeriesEvent): void
}

interface EventReporter {
  /** Its name, such as that of a scheduler, and that of the process. */
  readonly controller: string
  readonly instance: string
}

interface SeriesDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly client: Client
}

/** An Event object, and how often it was seen. */
interface Series {
  readonly key: string
  readonly event: Event
  count: number
  lastMs: number
  writtenMs: number
  /** The server has the object. */
  isWritten: boolean
}

const rememberedMax = 4096
/** Maximum number of events that wait; further ones are dropped. */
const queueMax = 1000
/** A series ends when it was not seen for so long. */
const finishMs = 6 * 60_000
/** A series that goes on is written so often, so that the server keeps it. */
const refreshMs = 30 * 60_000

/**
 * As client-go's recorder of events.k8s.io does: the first of equal events is created, the second makes a series of it, and
 * further ones are only counted until the series is refreshed or ends. Events are equal whatever their notes are.
 */
export function createSeriesRecorder(
  { clock, random, log, client }: SeriesDependencies,
  { controller, instance }: EventReporter,
): SeriesRecorder & Closable & { close(): Promise<void> } {
  const events = client.resource(resources.events.v1.events)
  // With `max`, it would allocate all its entries at the start.
  const known = new LRUCache<string, Series>({ maxSize: rememberedMax, sizeCalculation: () => 1 })
  const writer = createEventWriter<Series>({ clock, random, log }, write)
  const sweep = clock.every(finishMs, () => {
    const nowMs = clock.now()
    for (const series of known.values()) {
      const { key, count, lastMs, writtenMs } = series
      const isOver = nowMs - lastMs >= finishMs
      if (isOver) known.delete(key)
      if (count > 1 && (isOver || nowMs - writtenMs >= refreshMs)) writer.put(key, series)
    }
  })

  /** Writes all that the series has by now. */
  async function write(series: Series, signal: AbortSignal): Promise<void> {
    const { event, count, lastMs, isWritten } = series
    const shown = count > 1 ? { series: { count, lastObservedTime: formatMicroTime(lastMs) } } : {}
    series.writtenMs = clock.now()
    if (isWritten) {
      try {
        await events.patch(event.metadata, 'strategic', shown, { signal })
        return
      } catch (error) {
        // 404: the event has expired, and is created again with its count.
        if (!(error instanceof StatusError) || error.code !== 404) throw error
      }
    }
    try {
      await events.create({ ...event, ...shown }, { signal })
    } catch (error) {
      // An earlier try created it, and its answer was lost: no other client makes this name.
      if (!(error instanceof StatusError) || error.reason !== 'AlreadyExists') throw error
    }
    series.isWritten = true
  }

  return {
    record(about, { type, reason, action, note, related }) {
      const [regarding, other] = [referenceTo(about), related && referenceTo(related)]
      const key = JSON.stringify([type, reason, action, regarding, other])
      const nowMs = clock.now()
      const series = known.get(key)
      if (series !== undefined) {
        series.count++
        series.lastMs = nowMs
        if (series.count === 2) writer.put(key, series)
        return
      }
      if (writer.waiting >= queueMax) return
      const event: Event = {
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        metadata: { name: nameOfEvent(about, nowMs, random), namespace: namespaceOfEvent(about) },
        eventTime: formatMicroTime(nowMs),
        reportingController: controller,
        reportingInstance: instance,
        action,
        reason,
        regarding,
        ...(other && { related: other }),
        note: cutMessage(note),
        deprecatedSource: {},
        type,
      }
      const first: Series = { key, event, count: 1, lastMs: nowMs, writtenMs: nowMs, isWritten: false }
      known.set(key, first)
      writer.put(key, first)
    },
    async close() {
      void sweep.close()
      await writer.close()
    },
  }
}
