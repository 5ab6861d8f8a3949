/**
 * Settles as `promise`, or rejects with the signal's reason when the signal aborts first; the work behind the promise
 * continues.
 */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  if (signal.aborted) {
    // The caller gets the abort reason; the rejection must not count as unhandled.
    promise.catch(() => undefined)
    return Promise.reject(signal.reason as Error)
  }
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
