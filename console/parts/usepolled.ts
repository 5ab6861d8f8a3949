import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

interface PollOptions {
  readonly everyMs: number
  /** Other inputs: what was read is dropped. */
  readonly inputs: readonly unknown[]
}

/** What `read` answered last, read again while the page is visible; undefined before, and where it fails. */
export function usePolled<T>(
  read: (signal: AbortSignal) => Promise<T>,
  { everyMs, inputs }: PollOptions,
): T | undefined {
  const value = useSignal<T | undefined>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller names them.
  useEffect(() => {
    const closing = new AbortController()
    let isReading = false
    const look = async (): Promise<void> => {
      if (document.hidden || isReading) return
      isReading = true
      const found = await read(closing.signal).catch(() => undefined)
      isReading = false
      if (!closing.signal.aborted) value.value = found
    }
    value.value = undefined
    void look()
    const timer = setInterval(() => void look(), everyMs)
    return () => {
      clearInterval(timer)
      closing.abort()
    }
  }, inputs)
  return value.value
}
