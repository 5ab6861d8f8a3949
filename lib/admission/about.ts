import { type StatusCause, type StatusError, statusErrors } from '../object/index.ts'
import type { AdmissionAttributes } from './plugin.ts'

/** True when the write addresses objects of this resource themselves, not a subresource. */
export function isAbout({ resource, subresource }: AdmissionAttributes, plural: string, group = ''): boolean {
  return subresource === '' && resource.resource === plural && resource.group === group
}

/** The 403 of a plugin. An object without a name yet is named by its generateName. */
export function refusal(
  { resource, name, object }: AdmissionAttributes,
  why: string,
  causes?: StatusCause[],
): StatusError {
  const known = name || object?.metadata?.name || object?.metadata?.generateName || 'Unknown'
  return statusErrors.forbidden(resource, known, why, causes)
}
