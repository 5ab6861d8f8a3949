import { Backoff, type BackoffOptions } from './backoff.ts'
import type { Clock } from './clock.ts'
import type { Logger } from './log.ts'
import type { Random } from './random.ts'

interface RetryDependencies {
  readonly clock: Clock
  readonly random?: Random | undefined
  /** Default: failures are not logged. */
  readonly log?: Logger | undefined
}

interface RetryOptions extends BackoffOptions {
  /** The work's name in the log. */
  readonly name?: string
  /** Maximum number of attempts. Default: no limit. */
  readonly tries?: number
  /** False: another attempt can't succeed. Default: every failure is transient. */
  readonly isTransient?: (error: unknown) => boolean
  readonly signal?: AbortSignal | undefined
}

/** Repeats attempts until one succeeds. Rejects with the last failure, or with the signal's reason. */
export async function retry<Result>(
  { clock, random, log }: RetryDependencies,
  { name = 'an attempt', tries = Number.POSITIVE_INFINITY, isTransient = () => true, signal, ...pauses }: RetryOptions,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const backoff = new Backoff({ random, log }, name, pauses)
  for (let number = 1; ; number++)
    try {
      const result = await attempt()
      backoff.succeeded()
      return result
    } catch (error) {
      if (number >= tries || signal?.aborted === true || !isTransient(error)) throw error
      await clock.sleep(backoff.failed(error), signal)
    }
}
