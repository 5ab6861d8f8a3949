/** Demand in a period: seats in use and waited for, weighted by time. */
interface DemandSummary {
  readonly average: number
  readonly deviation: number
  readonly max: number
}

/** Summarizes a number over time. Times are in milliseconds and ascend. */
export class SeatDemand {
  #value = 0
  #sinceMs: number
  #beganMs: number
  #sum = 0
  #squares = 0
  #max = 0

  constructor(nowMs: number) {
    this.#sinceMs = nowMs
    this.#beganMs = nowMs
  }

  set(value: number, nowMs: number): void {
    this.#advance(nowMs)
    this.#value = value
    if (value > this.#max) this.#max = value
  }

  /** Ends a period and begins the next one. */
  summarize(nowMs: number): DemandSummary {
    this.#advance(nowMs)
    const elapsed = nowMs - this.#beganMs
    const average = elapsed > 0 ? this.#sum / elapsed : this.#value
    const variance = elapsed > 0 ? this.#squares / elapsed - average * average : 0
    const summary = { average, deviation: Math.sqrt(Math.max(0, variance)), max: this.#max }
    this.#beganMs = nowMs
    this.#sum = 0
    this.#squares = 0
    this.#max = this.#value
    return summary
  }

  #advance(nowMs: number): void {
    const elapsed = nowMs - this.#sinceMs
    if (elapsed <= 0) return
    this.#sum += this.#value * elapsed
    this.#squares += this.#value * this.#value * elapsed
    this.#sinceMs = nowMs
  }
}

/** The weight of the previous value when demand falls. */
const decay = 0.977

/** A peak applies at once and decays slowly. */
export function smoothDemand(before: number, { average, deviation }: DemandSummary): number {
  const envelope = average + deviation
  return Math.max(envelope, decay * before + (1 - decay) * envelope)
}
