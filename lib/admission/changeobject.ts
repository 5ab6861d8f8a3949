import type { ApiObject } from '../object/index.ts'
import type { ConvertedObjects } from './convertedobjects.ts'
import type { ObjectVersions, ServedForm } from './versions.ts'

/** Gives the request's object the content of `changed`, which is in the given form. False: nothing changes. */
export function changeObject(
  converted: ConvertedObjects,
  form: ServedForm,
  changed: ApiObject,
  versions: ObjectVersions,
): boolean {
  const { object, resource, kind } = converted.attributes
  if (!object) return false
  const before = converted.text(form)
  const whole = versions.convert(changed, resource, kind)
  if (versions.encode(changed, resource) === before) return false
  keepIdentity(whole, object)
  replaceObject(object, whole)
  return true
}

/** Kind and version are the request's, and the server maintains field ownership. */
function keepIdentity(changed: ApiObject, before: ApiObject): void {
  const { managedFields } = before.metadata ?? {}
  if (managedFields) changed.metadata.managedFields = managedFields
  changed.apiVersion = before.apiVersion
  changed.kind = before.kind
}

/** Gives `target` the content of `source`, in place: other code holds a reference to it. */
function replaceObject(target: ApiObject, source: ApiObject): void {
  const fields = target as Record<string, unknown>
  for (const field of Object.keys(fields)) delete fields[field]
  Object.assign(fields, source)
}
