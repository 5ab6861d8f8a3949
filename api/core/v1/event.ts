import type { TypeTable } from '../../../lib/schema/index.ts'

/** Events. */
export const eventTypes: Readonly<Record<string, TypeTable>> = {
  Event: {
    doc: 'Something that happened to an object; kept for a limited time and not reliable.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', omit: 'never', required: true, doc: 'Name, labels, annotations and the other standard metadata.' },
      involvedObject: { n: 2, type: 'ObjectReference', omit: 'never', required: true, doc: 'The object that it happened to.' },
      reason: { n: 3, type: 'string', doc: 'Machine-readable cause, in CamelCase.' },
      message: { n: 4, type: 'string', doc: 'What happened, for people.' },
      source: { n: 5, type: 'EventSource', doc: 'The reporting program.' },
      firstTimestamp: { n: 6, type: 'Time', doc: 'When it was first seen.' },
      lastTimestamp: { n: 7, type: 'Time', doc: 'When it was last seen.' },
      count: { n: 8, type: 'int32', format: 'int32', doc: 'How often it was seen.' },
      type: { n: 9, type: 'string', doc: 'Normal or Warning.' },
      eventTime: { n: 10, type: 'MicroTime', doc: 'When it was first seen, to the microsecond.' },
      series: { n: 11, type: '*EventSeries', doc: 'Further occurrences, when there are any.' },
      action: { n: 12, type: 'string', doc: 'Action that was taken, or failed.' },
      related: { n: 13, type: '*ObjectReference', doc: 'Another object that took part.' },
      reportingComponent: { n: 14, type: 'string', omit: 'never', default: '', doc: 'Name of the controller that reported it, such as example.com/controller.' },
      reportingInstance: { n: 15, type: 'string', omit: 'never', default: '', doc: 'Which instance of the controller reported it.' },
    },
  },
  EventList: {
    doc: 'A list of Event objects.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      items: { n: 2, type: '[]Event', omit: 'never', required: true, doc: 'The objects.' },
    },
  },
  EventSeries: {
    doc: 'Further occurrences of an event.',
    fields: {
      count: { n: 1, type: 'int32', format: 'int32', doc: 'How often it was seen, up to lastObservedTime.' },
      lastObservedTime: { n: 2, type: 'MicroTime', doc: 'When it was last seen.' },
    },
  },
  EventSource: {
    doc: 'A program, and the node that it runs on.',
    fields: {
      component: { n: 1, type: 'string', doc: 'Program that reported it.' },
      host: { n: 2, type: 'string', doc: 'Node that it was reported from.' },
    },
  },
}
