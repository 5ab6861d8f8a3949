import type { Clock } from '../base/index.ts'

/** A step that a handler has completed, by the monotonic clock. */
export interface TimedStep {
  readonly name: string
  readonly atMs: number
  readonly fields?: Readonly<Record<string, string | number>> | undefined
}

/** A call may retry its write many times: later steps are dropped. */
const stepsMax = 100

/** When a call was received, and when it passed the filters that may wait. By the monotonic clock unless said otherwise. */
export class CallTimings {
  /** By the wall clock. */
  readonly receivedAtMs: number
  readonly startedMs: number
  // 0: not yet.
  authenticatedMs = 0
  seatedMs = 0
  authorizedMs = 0
  readonly #clock: Clock
  #steps: TimedStep[] | undefined

  constructor(clock: Clock) {
    this.#clock = clock
    this.receivedAtMs = clock.now()
    this.startedMs = clock.monotonicMs()
  }

  get steps(): readonly TimedStep[] {
    return this.#steps ?? []
  }

  step(name: string, fields: TimedStep['fields']): void {
    const step = { name, atMs: this.#clock.monotonicMs(), fields }
    if (this.#steps === undefined) this.#steps = [step]
    else if (this.#steps.length < stepsMax) this.#steps.push(step)
  }
}
