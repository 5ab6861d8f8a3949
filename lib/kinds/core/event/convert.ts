import type { ApiObject } from '../../../object/index.ts'

/** Fields of events.k8s.io/v1 and their names in core/v1; fields with the same name are not listed. */
const renamed: readonly (readonly [string, string])[] = [
  ['reportingController', 'reportingComponent'],
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
]
const toCore = new Map(renamed)
const toEvents = new Map(renamed.map(([events, core]) => [core, events]))

/** The same event as core/v1. Shares nested values with `object`. */
export function eventToCore(object: ApiObject): ApiObject {
  return rename(object, toCore, 'v1')
}

/** The same event as events.k8s.io/v1. Shares nested values with `object`. */
export function eventFromCore(object: ApiObject): ApiObject {
  return rename(object, toEvents, 'events.k8s.io/v1')
}

function rename(object: ApiObject, names: ReadonlyMap<string, string>, apiVersion: string): ApiObject {
  const result: ApiObject = { apiVersion, kind: 'Event', metadata: object.metadata }
  for (const field of Object.keys(object)) {
    if (field !== 'apiVersion' && field !== 'kind') result[names.get(field) ?? field] = object[field]
  }
  return result
}
