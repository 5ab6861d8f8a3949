// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as coreV1 from '../core/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
export type Event = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  eventTime?: string
  series?: EventSeries
  reportingController?: string
  reportingInstance?: string
  action?: string
  reason?: string
  regarding: coreV1.ObjectReference
  related?: coreV1.ObjectReference
  note?: string
  type?: string
  deprecatedSource: coreV1.EventSource
  deprecatedFirstTimestamp?: string
  deprecatedLastTimestamp?: string
  deprecatedCount?: number
}

export type EventList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: Event[]
}

export type EventSeries = {
  count: number
  lastObservedTime?: string
}
