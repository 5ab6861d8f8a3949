import type { ApiObject } from '../../../object/index.ts'

export interface ObjectReference {
  kind?: string
  namespace?: string
  name?: string
  uid?: string
  apiVersion?: string
  resourceVersion?: string
  fieldPath?: string
}

/** An Event in the form of core/v1, in which all events are stored. */
export interface Event extends ApiObject {
  involvedObject?: ObjectReference
  reason?: string
  message?: string
  source?: { component?: string; host?: string }
  firstTimestamp?: string
  lastTimestamp?: string
  count?: number
  type?: string
  eventTime?: string
  series?: { count?: number; lastObservedTime?: string }
  action?: string
  related?: ObjectReference
  reportingComponent?: string
  reportingInstance?: string
}
