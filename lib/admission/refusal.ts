import { type StatusCause, type StatusError, statusErrors } from '../object/index.ts'
import type { AdmissionAttributes } from './plugin.ts'

/** The 403 of a plugin. An object without a name yet is named by its generateName. */
export function refusal(
  { resource, name, object }: AdmissionAttributes,
  why: string,
  causes?: StatusCause[],
): StatusError {
  const known = name || object?.metadata?.name || object?.metadata?.generateName || 'Unknown'
  return statusErrors.forbidden(resource, known, why, causes)
}
