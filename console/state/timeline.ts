import { type ApiObject, fieldOf, metadataOf, text } from './values.ts'

/** What an event says. */
export interface Moment {
  readonly uid: string
  readonly isWarning: boolean
  readonly reason: string
  readonly message: string
  /** Who reported it. */
  readonly source: string
  /** How often it happened, from the first to the last time. */
  readonly count: number
  readonly firstMs: number
  readonly lastMs: number
}

/** Events of core/v1, those with a series included, the latest first. */
export function timelineOf(events: readonly ApiObject[]): Moment[] {
  return events.map(toMoment).sort((a, b) => b.lastMs - a.lastMs || b.firstMs - a.firstMs || (a.uid < b.uid ? 1 : -1))
}

function toMoment(event: ApiObject): Moment {
  const { uid, creationTimestamp } = metadataOf(event)
  const series = event['series']
  const times = [event['eventTime'], event['firstTimestamp'], creationTimestamp].map((time) => Date.parse(text(time)))
  const firstMs = times.find((time) => !Number.isNaN(time)) ?? Number.NaN
  const latest = [fieldOf(series, 'lastObservedTime'), event['lastTimestamp']].map((time) => Date.parse(text(time)))
  const count = Number(fieldOf(series, 'count') ?? event['count'] ?? 1)
  return {
    uid: text(uid),
    isWarning: event['type'] === 'Warning',
    reason: text(event['reason']),
    message: text(event['message']),
    source: text(event['reportingComponent']) || text(fieldOf(event, 'source', 'component')),
    count: count >= 1 ? count : 1,
    firstMs,
    lastMs: latest.find((time) => !Number.isNaN(time)) ?? firstMs,
  }
}
