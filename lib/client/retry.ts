import type { Clock, Random } from '../base/index.ts'

interface RetryOptions {
  /** Before the first retry; each further one waits longer by `factor`. */
  readonly initialMs: number
  /** Default 1.5. */
  readonly factor?: number
  /** Share of each delay that is added by chance, at most. Default 0.2. */
  readonly jitter?: number
  /** Tries in all. Default 5. */
  readonly tries?: number
  readonly signal?: AbortSignal | undefined
}

/** Runs `work` until it succeeds, `again` says that a failure is final, or the tries are over: then its error is thrown. */
export async function retry<Result>(
  { clock, random }: { clock: Clock; random: Random },
  { initialMs, factor = 1.5, jitter = 0.2, tries = 5, signal }: RetryOptions,
  again: (error: unknown) => boolean,
  work: (attempt: number) => Promise<Result>,
): Promise<Result> {
  let delayMs = initialMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt)
    } catch (error) {
      if (attempt >= tries || signal?.aborted === true || !again(error)) throw error
    }
    await clock.sleep(delayMs * (1 + jitter * random.fraction()), signal)
    delayMs *= factor
  }
}
