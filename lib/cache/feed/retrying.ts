import { AssertionError, type Clock, type Logger } from '../../base/index.ts'
import type { CacheOptions } from '../options.ts'

/** Tries until it works; undefined once the signal has aborted. Our own bugs are not tried again. */
export type Retrying = <T>(what: string, attempt: () => Promise<T>) => Promise<T | undefined>

/** With pauses that double from try to try. */
export function createRetrying(
  { clock, log, signal }: { readonly clock: Clock; readonly log: Logger; readonly signal: AbortSignal },
  { retryMs, retryMsMax }: Pick<CacheOptions, 'retryMs' | 'retryMsMax'>,
): Retrying {
  return async (what, attempt) => {
    for (let pauseMs = retryMs; !signal.aborted; pauseMs = Math.min(pauseMs * 2, retryMsMax))
      try {
        return await attempt()
      } catch (error) {
        if (signal.aborted) return undefined
        if (error instanceof AssertionError) throw error
        log.warn(`could not ${what}`, { error: String(error), retryMs: pauseMs })
        await clock.sleep(pauseMs, signal).catch(() => undefined)
      }
    return undefined
  }
}
