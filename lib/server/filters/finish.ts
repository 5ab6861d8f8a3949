import { assert } from '../../base/index.ts'
import type { ServerCall } from '../call.ts'
import type { Filter } from '../chain.ts'
import type { FailureAnswers } from '../failure.ts'

/** Runs the finishers once the handler has settled and an endless answer, if there is one, has ended. */
export function finishCalls(errors: FailureAnswers): Filter {
  function settled(call: ServerCall): void {
    if (call.transport.streaming) {
      call.transport.onClose(() => call.finish())
      return
    }
    if (!call.transport.started && !call.abandoned && !call.transport.gone) {
      errors.answer(call, unanswered())
    }
    call.finish()
  }
  return (call, next) => {
    const pending = next(call)
    if (pending === undefined) return settled(call)
    return pending.then(() => settled(call))
  }
}

function unanswered(): unknown {
  try {
    assert(false, 'a handler settled without an answer')
  } catch (error) {
    return error
  }
  return undefined
}
