/** Tells how long the event loop was held at a time, by a timer that wants to run every millisecond. */
interface HoldMeter {
  reset(): void
  longestMs(): number
  close(): void
}

export function createHoldMeter(): HoldMeter {
  let longest = 0
  let last = performance.now()
  const look = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last - 1)
    last = now
  }
  const timer = setInterval(look, 1)
  return {
    reset() {
      last = performance.now()
      longest = 0
    },
    longestMs() {
      look()
      return longest
    },
    close: () => clearInterval(timer),
  }
}
