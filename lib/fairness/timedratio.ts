/** A histogram's series; observes `weight` times at once. */
interface Series {
  observe(value: number, weight: number): void
}

const nanosecondsPerMs = 1e6

/**
 * A ratio of use to a limit, over time: one observation for each nanosecond, as the stock server counts it. Times are
 * in milliseconds and ascend.
 */
export class TimedRatio {
  readonly #series: Series
  #value = 0
  #limit = 1
  #sinceMs: number

  constructor(series: Series, nowMs: number) {
    this.#series = series
    this.#sinceMs = nowMs
  }

  set(value: number, nowMs: number): void {
    if (value === this.#value) return
    this.observe(nowMs)
    this.#value = value
  }

  /** Limits below 1 count as 1. */
  setLimit(limit: number, nowMs: number): void {
    if (limit === this.#limit) return
    this.observe(nowMs)
    this.#limit = Math.max(1, limit)
  }

  /** Observes the time up to now. */
  observe(nowMs: number): void {
    const elapsed = nowMs - this.#sinceMs
    if (elapsed <= 0) return
    this.#sinceMs = nowMs
    this.#series.observe(this.#value / this.#limit, Math.round(elapsed * nanosecondsPerMs))
  }
}
