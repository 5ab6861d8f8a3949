// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as coreV1 from '../core/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
/** Something that happened to an object; kept for a limited time and not reliable. */
export type Event = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** When it was first seen. Required. */
  eventTime?: string
  /** Further occurrences, when there are any. */
  series?: EventSeries
  /** Name of the controller that reported it, such as example.com/controller. */
  reportingController?: string
  /** Which instance of the controller reported it. */
  reportingInstance?: string
  /** Action that was taken, or failed. */
  action?: string
  /** Machine-readable cause; at most 128 characters. */
  reason?: string
  /** The object that it happened to. */
  regarding: coreV1.ObjectReference
  /** Another object that took part. */
  related?: coreV1.ObjectReference
  /** What happened, for people; at most 1 KiB. */
  note?: string
  /** Normal or Warning. */
  type?: string
  /** Deprecated: source, for core events. */
  deprecatedSource: coreV1.EventSource
  /** Deprecated: firstTimestamp, for core events. */
  deprecatedFirstTimestamp?: string
  /** Deprecated: lastTimestamp, for core events. */
  deprecatedLastTimestamp?: string
  /** Deprecated: count, for core events. */
  deprecatedCount?: number
}

/** A list of Event objects. */
export type EventList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Event[]
}

/** Further occurrences of an event. */
export type EventSeries = {
  /** How often it was seen, up to lastObservedTime. */
  count: number
  /** When it was last seen. */
  lastObservedTime?: string
}
