import type { CacheWatchEvent } from '../../cache/index.ts'
import { noRevision, StatusError, statusErrors } from '../../object/index.ts'

/** The last event of a watch whose objects could not be converted. */
export function errorEvent(cause: unknown): CacheWatchEvent {
  const error = cause instanceof StatusError ? cause : statusErrors.internal('the objects can not be converted', cause)
  const event: CacheWatchEvent = {
    type: 'ERROR',
    revision: noRevision,
    entry: undefined,
    initialEventsEnd: false,
    error,
    frame: (encoding) => encoding.encode(event),
  }
  return event
}
