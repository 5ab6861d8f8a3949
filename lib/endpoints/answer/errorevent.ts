import type { WatchEvent } from '../../cache/index.ts'
import { noRevision, StatusError, statusErrors } from '../../object/index.ts'

/** The last event of a watch whose objects could not be converted. */
export function errorEvent(cause: unknown): WatchEvent {
  const error = cause instanceof StatusError ? cause : statusErrors.internal('the objects can not be converted', cause)
  const event: WatchEvent = {
    type: 'ERROR',
    revision: noRevision,
    entry: undefined,
    initialEventsEnd: false,
    error,
    frame: (encoding) => encoding.encode(event),
  }
  return event
}
