import { AssertionError } from '../../base/index.ts'
import type { ServerCall } from '../call.ts'
import type { ServerFilter } from '../chain.ts'
import type { FailureAnswers } from '../failure.ts'
import type { ServerMetrics } from '../metrics.ts'

/** Runs the finishers once the handler has settled and a streamed answer has ended. */
export function finishCalls(errors: FailureAnswers, metrics: ServerMetrics): ServerFilter {
  function settled(call: ServerCall): void {
    if (call.responder.streaming) {
      call.responder.onClose(() => call.finish())
      return
    }
    if (call.outcome.timedOut) metrics.afterTimeout(call.outcome.failedAfterTimeout)
    else if (!call.responder.started && !call.responder.gone) {
      errors.answer(call, new AssertionError('a handler settled without an answer'))
    }
    call.finish()
  }
  return (call, next) => {
    const pending = next(call)
    if (pending === undefined) return settled(call)
    return pending.then(() => settled(call))
  }
}
