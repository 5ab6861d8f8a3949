import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const eventsV1: GroupVersionTable = {
  group: 'events.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.events.v1',
  types: {
    Event: {
      doc: 'Something that happened to an object; kept for a limited time and not reliable.',
      kind: true,
      earlierVersions: ['v1beta1'],
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', omit: 'never', doc: 'Name, labels, annotations and the other standard metadata.' },
        eventTime: { n: 2, type: 'MicroTime', omit: 'never', required: true, doc: 'When it was first seen. Required.' },
        series: { n: 3, type: '*EventSeries', doc: 'Further occurrences, when there are any.' },
        reportingController: { n: 4, type: 'string', doc: 'Name of the controller that reported it, such as example.com/controller.' },
        reportingInstance: { n: 5, type: 'string', doc: 'Which instance of the controller reported it.' },
        action: { n: 6, type: 'string', doc: 'Action that was taken, or failed.' },
        reason: { n: 7, type: 'string', doc: 'Machine-readable cause; at most 128 characters.' },
        regarding: { n: 8, type: 'core/v1.ObjectReference', doc: 'The object that it happened to.' },
        related: { n: 9, type: '*core/v1.ObjectReference', doc: 'Another object that took part.' },
        note: { n: 10, type: 'string', doc: 'What happened, for people; at most 1 KiB.' },
        type: { n: 11, type: 'string', doc: 'Normal or Warning.' },
        deprecatedSource: { n: 12, type: 'core/v1.EventSource', deprecated: true, doc: 'Deprecated: source, for core events.' },
        deprecatedFirstTimestamp: { n: 13, type: 'Time', deprecated: true, doc: 'Deprecated: firstTimestamp, for core events.' },
        deprecatedLastTimestamp: { n: 14, type: 'Time', deprecated: true, doc: 'Deprecated: lastTimestamp, for core events.' },
        deprecatedCount: { n: 15, type: 'int32', format: 'int32', deprecated: true, doc: 'Deprecated: count, for core events.' },
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
        count: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'How often it was seen, up to lastObservedTime.' },
        lastObservedTime: { n: 2, type: 'MicroTime', omit: 'never', required: true, doc: 'When it was last seen.' },
      },
    },
  },
  resources: {
    events: {
      kind: 'Event',
      singular: 'event',
      listKind: 'EventList',
      namespaced: true,
      shortNames: ['ev'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageGroup: '',
      storageVersion: 'v1',
      storagePrefix: 'events',
      storageVersionHash: 'r2yiGXH7wu8=',
      introduced: '1.19',
      fieldSelectors: ['metadata.name', 'metadata.namespace', 'reason', 'regarding.kind', 'regarding.namespace', 'regarding.name', 'regarding.uid', 'regarding.apiVersion', 'regarding.resourceVersion', 'regarding.fieldPath', 'reportingController', 'type'],
      deleteReturns: 'Status',
      createOnUpdate: true,
    },
  },
}
