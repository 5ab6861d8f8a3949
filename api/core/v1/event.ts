import type { TypeTable } from '../../../lib/schema/index.ts'

/** Events. */
export const eventTypes: Readonly<Record<string, TypeTable>> = {
  Event: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ObjectMeta', omit: 'never', required: true },
      involvedObject: { n: 2, type: 'ObjectReference', omit: 'never', required: true },
      reason: { n: 3, type: 'string' },
      message: { n: 4, type: 'string' },
      source: { n: 5, type: 'EventSource' },
      firstTimestamp: { n: 6, type: 'Time' },
      lastTimestamp: { n: 7, type: 'Time' },
      count: { n: 8, type: 'int32', format: 'int32' },
      type: { n: 9, type: 'string' },
      eventTime: { n: 10, type: 'MicroTime' },
      series: { n: 11, type: '*EventSeries' },
      action: { n: 12, type: 'string' },
      related: { n: 13, type: '*ObjectReference' },
      reportingComponent: { n: 14, type: 'string', omit: 'never', default: '' },
      reportingInstance: { n: 15, type: 'string', omit: 'never', default: '' },
    },
  },
  EventList: {
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta' },
      items: { n: 2, type: '[]Event', omit: 'never', required: true },
    },
  },
  EventSeries: {
    fields: {
      count: { n: 1, type: 'int32', format: 'int32' },
      lastObservedTime: { n: 2, type: 'MicroTime' },
    },
  },
  EventSource: {
    fields: {
      component: { n: 1, type: 'string' },
      host: { n: 2, type: 'string' },
    },
  },
}
