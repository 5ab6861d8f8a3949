import { type StatusCause, type StatusError, statusErrors } from '../object/index.ts'
import type { AdmissionAttributes } from './plugin.ts'

/** True when the write is about objects of this resource themselves, not about a part of one. */
export function isAbout({ resource, subresource }: AdmissionAttributes, plural: string, group = ''): boolean {
  return subresource === '' && resource.resource === plural && resource.group === group
}

/** The 403 of a plugin. An object whose name is yet to be made goes by its generateName. */
export function refusal(
  { resource, name, object }: AdmissionAttributes,
  why: string,
  causes?: StatusCause[],
): StatusError {
  const known = name || object?.metadata?.name || object?.metadata?.generateName || 'Unknown'
  return statusErrors.forbidden(resource, known, why, causes)
}
