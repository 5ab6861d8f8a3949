import type { ServerFilter } from '../chain.ts'
import type { FailureAnswers } from '../failure.ts'

/** Catches what later filters and the handler throw or reject with. */
export function answerFailures(errors: FailureAnswers): ServerFilter {
  return (call, next): void | Promise<void> => {
    try {
      return next(call)?.catch((error: unknown) => errors.answer(call, error))
    } catch (error) {
      errors.answer(call, error)
      return undefined
    }
  }
}
