import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const eventsV1: GroupVersionTable = {
  group: 'events.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.events.v1',
  types: {
    Event: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', omit: 'never' },
        eventTime: { n: 2, type: 'MicroTime', omit: 'never', required: true },
        series: { n: 3, type: '*EventSeries' },
        reportingController: { n: 4, type: 'string' },
        reportingInstance: { n: 5, type: 'string' },
        action: { n: 6, type: 'string' },
        reason: { n: 7, type: 'string' },
        regarding: { n: 8, type: 'core/v1.ObjectReference' },
        related: { n: 9, type: '*core/v1.ObjectReference' },
        note: { n: 10, type: 'string' },
        type: { n: 11, type: 'string' },
        deprecatedSource: { n: 12, type: 'core/v1.EventSource', deprecated: true },
        deprecatedFirstTimestamp: { n: 13, type: 'Time', deprecated: true },
        deprecatedLastTimestamp: { n: 14, type: 'Time', deprecated: true },
        deprecatedCount: { n: 15, type: 'int32', format: 'int32', deprecated: true },
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
        count: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
        lastObservedTime: { n: 2, type: 'MicroTime', omit: 'never', required: true },
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
