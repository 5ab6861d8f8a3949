import type { StatusError } from '../object/index.ts'

/** How a call ended. Status and size of its answer are the responder's. */
export class CallOutcome {
  /** The error that the client was sent. */
  failure: StatusError | undefined = undefined
  /** The failure was an unexpected error. */
  crashed = false
  /** The deadline has answered the client: the handler's output is discarded from then on. */
  timedOut = false
  /** The handler failed after the deadline had answered its client. */
  failedAfterTimeout = false
}
