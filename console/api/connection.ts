/**
 * Runs with a signal that aborts with `closing`, and when the browser loses its network: connections may hang then, without
 * an error.
 */
export async function whileOnline(closing: AbortSignal, run: (until: AbortSignal) => Promise<void>): Promise<void> {
  const lost = new AbortController()
  const lose = (): void => lost.abort()
  window.addEventListener('offline', lose)
  try {
    await run(AbortSignal.any([closing, lost.signal]))
  } finally {
    window.removeEventListener('offline', lose)
  }
}

/** Waits before another attempt: not longer than until the browser has its network again, or `closing`. */
export function pauseBeforeRetry(ms: number, closing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController()
    const end = (): void => {
      clearTimeout(timer)
      done.abort()
      resolve()
    }
    const timer = setTimeout(end, ms)
    const options = { once: true, signal: done.signal }
    window.addEventListener('online', end, options)
    closing.addEventListener('abort', end, options)
  })
}
