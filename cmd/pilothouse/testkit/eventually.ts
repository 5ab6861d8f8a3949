import { inspect } from 'node:util'
import { type Closable, systemClock } from '../../../lib/base/index.ts'

export interface EventuallyOptions {
  /** By the machine's clock. Default 10 s. */
  readonly timeoutMs?: number
  /** Names the condition in the message of the failure. */
  readonly message?: string
  readonly signal?: AbortSignal
}

/** As `plane.eventually`. */
export type Eventually = <T>(condition: () => T | Promise<T>, options?: EventuallyOptions) => Promise<T>

const timeoutMsDefault = 10_000
/** Conditions may depend on other things than stored objects. */
const pollMs = 25
/** Characters of a value in the message of a failure. */
const valueCharactersMax = 1000

/** `onChange`: calls back after each change of a stored object, until it is closed. */
export function createEventually(onChange: (changed: () => void) => Closable): Eventually {
  return async (condition, { timeoutMs = timeoutMsDefault, message, signal } = {}) => {
    const untilMs = systemClock.monotonicMs() + timeoutMs
    let last: { readonly text: string; readonly cause?: unknown } = { text: 'the condition has not answered' }
    let wake = (): void => {}
    let isChanged = false
    const changes = onChange(() => {
      isChanged = true
      wake()
    })
    const over = Promise.withResolvers<never>()
    over.promise.catch(() => {})
    const limit = systemClock.after(timeoutMs, () => {
      const what = message === undefined ? '' : `: ${message}`
      over.reject(new Error(`not within ${timeoutMs} ms${what}; ${last.text}`, { cause: last.cause }))
    })
    const abort = (): void => over.reject(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    try {
      signal?.throwIfAborted()
      for (;;) {
        isChanged = false
        try {
          const value = await Promise.race([condition(), over.promise])
          if (isTruth(value)) return value
          last = { text: `the condition last answered ${shown(value)}` }
        } catch (error) {
          if (systemClock.monotonicMs() >= untilMs || signal?.aborted) return await over.promise
          last = {
            text: `the condition last failed: ${error instanceof Error ? error.message : shown(error)}`,
            cause: error,
          }
        }
        const pause = Promise.withResolvers<void>()
        wake = pause.resolve
        const timer = isChanged ? systemClock.soon(wake) : systemClock.after(pollMs, wake)
        await Promise.race([pause.promise, over.promise])
        void timer.close()
      }
    } finally {
      signal?.removeEventListener('abort', abort)
      void limit.close()
      await changes.close()
    }
  }
}

/** A condition of assertions returns nothing. */
function isTruth(value: unknown): boolean {
  return value === undefined || Boolean(value)
}

function shown(value: unknown): string {
  const text = inspect(value, { depth: 4, breakLength: 120 })
  return text.length > valueCharactersMax ? `${text.slice(0, valueCharactersMax)}…` : text
}
