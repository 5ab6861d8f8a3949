import { type ApiObject, deepEqual, type FieldError, fieldErrors } from '../../../object/index.ts'
import type { Event, ObjectReference } from '../../core/event/event.ts'
import { validateEvent } from '../../core/event/validate.ts'

/** Objects come as core/v1 events; errors name fields as clients know them, in a mixture of both forms. */
export function validateNewEvent(object: ApiObject): FieldError[] {
  const event = object as Event
  const errors = validateEvent(event, 'reportingController')
  validateSeries(event, errors)
  if (event.eventTime === undefined) errors.push(fieldErrors.required('eventTime'))
  if (event.type !== 'Normal' && event.type !== 'Warning')
    errors.push(fieldErrors.invalid('type', '', `has invalid value: ${event.type ?? ''}`))
  const unset = (field: string, isSet: boolean): void => {
    if (isSet) errors.push(fieldErrors.invalid(field, '', 'needs to be unset'))
  }
  unset('firstTimestamp', event.firstTimestamp !== undefined)
  unset('lastTimestamp', event.lastTimestamp !== undefined)
  unset('count', (event.count ?? 0) !== 0)
  unset('source', Boolean(event.source?.component) || Boolean(event.source?.host))
  return errors
}

/** Only the series may change. */
export function validateEventUpdate(object: ApiObject, oldObject: ApiObject): FieldError[] {
  const event = object as Event
  const old = oldObject as Event
  const errors = validateEvent(event, 'reportingController')
  if (!deepEqual(event.series, old.series)) validateSeries(event, errors)
  for (const [field, name, absent] of immutableFields) {
    if (deepEqual(event[field] ?? absent, old[field] ?? absent)) continue
    errors.push(fieldErrors.immutable(name, shown(event[field] ?? absent)))
  }
  return errors
}

function validateSeries(event: Event, errors: FieldError[]): void {
  if (!event.series) return
  if ((event.series.count ?? 0) < 2) errors.push(fieldErrors.invalid('series.count', '', 'should be at least 2'))
  if (event.series.lastObservedTime === undefined) errors.push(fieldErrors.required('series.lastObservedTime'))
}

/** Field, its name in errors, and the meaning of its absence. */
const immutableFields: readonly (readonly [keyof Event & string, string, unknown])[] = [
  ['involvedObject', 'involvedObject', {}],
  ['reason', 'reason', ''],
  ['message', 'message', ''],
  ['source', 'source', {}],
  ['firstTimestamp', 'firstTimestamp', null],
  ['lastTimestamp', 'lastTimestamp', null],
  ['count', 'count', 0],
  ['type', 'type', ''],
  ['eventTime', 'eventTime', null],
  ['action', 'action', ''],
  ['related', 'related', null],
  ['reportingComponent', 'reportingController', ''],
  ['reportingInstance', 'reportingInstance', ''],
]

/** References are printed with the names that clients know. */
function shown(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('component' in value || 'host' in value) {
    const { component = '', host = '' } = value as { component?: string; host?: string }
    return { Component: component, Host: host }
  }
  const reference = value as ObjectReference
  return {
    Kind: reference.kind ?? '',
    Namespace: reference.namespace ?? '',
    Name: reference.name ?? '',
    UID: reference.uid ?? '',
    APIVersion: reference.apiVersion ?? '',
    ResourceVersion: reference.resourceVersion ?? '',
    FieldPath: reference.fieldPath ?? '',
  }
}
