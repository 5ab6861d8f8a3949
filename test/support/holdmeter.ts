import { threadCpuMs } from './cputime.ts'

/**
 * Measures how long the event loop was held at a time, by a timer that is due every millisecond. Counts this thread's
 * CPU: other processes of a busy machine hold nothing.
 */
interface HoldMeter {
  reset(): void
  longestMs(): number
  close(): void
}

export function createHoldMeter(): HoldMeter {
  let longest = 0
  let last = threadCpuMs()
  const look = (): void => {
    const now = threadCpuMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, 1)
  return {
    reset() {
      last = threadCpuMs()
      longest = 0
    },
    longestMs() {
      look()
      return longest
    },
    close: () => clearInterval(timer),
  }
}

/** The longest that the event loop was held at a time during `run`, in ms. */
export async function heldMs(run: () => Promise<unknown>): Promise<number> {
  const meter = createHoldMeter()
  try {
    await run()
    return meter.longestMs()
  } finally {
    meter.close()
  }
}

/**
 * The bound on `heldMs` for the largest objects, in ms: the longest steps take up to three times as long as JSON.parse does
 * for 99,000 fields, on a slow machine, too.
 */
export function heldMsBound(): number {
  // Once a process: many files ask, and each answer takes a tenth of a second.
  bound ??= Math.max(100, 4 * parseMs())
  return bound
}

let bound: number | undefined

/** CPU that parsing the largest body takes here just now, in ms: the least of five times. */
function parseMs(): number {
  const text = JSON.stringify(Object.fromEntries(Array.from({ length: 99_000 }, (_, index) => [`f${index}`, 0])))
  const times = Array.from({ length: 5 }, () => {
    const began = threadCpuMs()
    JSON.parse(text)
    return threadCpuMs() - began
  })
  return Math.min(...times)
}
