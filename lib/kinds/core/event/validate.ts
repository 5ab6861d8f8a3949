import {
  type ApiObject,
  type FieldError,
  fieldErrors,
  validateDns1123Subdomain,
  validateQualifiedName,
} from '../../../object/index.ts'
import type { Event } from './event.ts'

const textCharactersMax = 128
const messageCharactersMax = 1024

/** The rules of core/v1: lenient for old events, which have no eventTime. */
export function validateCoreEvent(object: ApiObject): FieldError[] {
  return validateEvent(object as Event, 'reportingComponent')
}

/** The rules that both groups share. `controllerField` is the group's name for the reporting controller. */
export function validateEvent(event: Event, controllerField: string): FieldError[] {
  const errors: FieldError[] = []
  const namespace = event.metadata.namespace ?? ''
  const involved = event.involvedObject?.namespace ?? ''
  const oldStyle = event.eventTime === undefined
  const systemNamespace = oldStyle ? '' : 'kube-system'
  const agrees =
    involved === '' ? namespace === 'default' || namespace === systemNamespace : !oldStyle || namespace === involved
  if (!agrees) {
    const why = 'does not match event.namespace'
    errors.push(fieldErrors.invalid('involvedObject.namespace', involved, why))
  }
  if (!oldStyle) validateNewStyle(event, controllerField, errors)
  for (const finding of validateDns1123Subdomain(namespace))
    errors.push(fieldErrors.invalid('namespace', namespace, finding))
  return errors
}

function validateNewStyle(event: Event, controllerField: string, errors: FieldError[]): void {
  const controller = event.reportingComponent ?? ''
  if (controller === '') errors.push(fieldErrors.required(controllerField))
  for (const finding of validateQualifiedName(controller))
    errors.push(fieldErrors.invalid(controllerField, controller, finding))
  for (const field of ['reportingInstance', 'action', 'reason'] as const) {
    if ((event[field] ?? '') === '') errors.push(fieldErrors.required(field))
    limit(field, event[field], textCharactersMax, errors)
  }
  limit('message', event.message, messageCharactersMax, errors)
}

function limit(field: string, value: string | undefined, bytesMax: number, errors: FieldError[]): void {
  if (Buffer.byteLength(value ?? '') > bytesMax)
    errors.push(fieldErrors.invalid(field, '', `can have at most ${bytesMax} characters`))
}
