import type { ApiObject } from '../../../object/index.ts'
import type { Column } from '../../definition.ts'
import { age, nameColumn, textColumn } from '../../meta/columns.ts'
import type { Event } from './event.ts'

export const eventColumns: readonly Column[] = [
  textColumn('Last Seen', 'Time since it happened last.', (object, { nowMs }) => {
    const event = object as Event
    const last = event.series ? event.series.lastObservedTime : event.lastTimestamp
    return age(last ?? firstSeen(event), nowMs)
  }),
  textColumn('Type', 'Normal or Warning.', (object) => (object as Event).type ?? ''),
  textColumn('Reason', 'Why it was reported, as one word for machines.', (object) => (object as Event).reason ?? ''),
  textColumn('Object', 'What it is about.', (object) => {
    const { kind = '', name = '' } = (object as Event).involvedObject ?? {}
    return name === '' ? kind.toLowerCase() : `${kind.toLowerCase()}/${name}`
  }),
  textColumn(
    'Subobject',
    'The part of the object that it is about.',
    (object) => (object as Event).involvedObject?.fieldPath ?? '',
    1,
  ),
  textColumn('Source', 'The component that reported it, and where.', source, 1),
  textColumn('Message', 'What happened, for people.', (object) => ((object as Event).message ?? '').trim()),
  textColumn(
    'First Seen',
    'Time since it happened first.',
    (object, { nowMs }) => age(firstSeen(object as Event), nowMs),
    1,
  ),
  textColumn('Count', 'How often it happened.', (object) => count(object as Event), 1),
  { ...nameColumn, priority: 1 },
]

function firstSeen(event: Event): string | undefined {
  return event.firstTimestamp ?? event.eventTime
}

function source(object: ApiObject): string {
  const event = object as Event
  const component = event.source?.component || event.reportingComponent || ''
  const host = event.source?.host || event.reportingInstance || ''
  return host === '' ? component : `${component}, ${host}`
}

function count(event: Event): number {
  if (event.series) return event.series.count ?? 0
  return event.count || 1
}
