import type { Clock, Closable } from '../../base/index.ts'
import type { CacheOptions } from '../options.ts'

/** Work that is done in slices. */
export interface Worker {
  /** Works until done or until `expired` returns true; true when there is more to do. */
  work(expired: () => boolean): boolean
}

/** A burst this short needs no rest. */
const restFromMs = 0.1

/**
 * A rest is this many times as long as the burst before it: encrypting and writing the events costs several times as
 * much as the burst.
 */
const restFactor = 10

/**
 * Shares the event loop between the caches of a feed and everything else: one slice of work a tick. After a burst of
 * slices it rests for longer than the burst took (up to a limit), so that under load events gather and are sent
 * together, while a single event is sent at once. A hundred watchers cost 0.1 to 0.3 ms a burst, hence rests of 1 to 3
 * ms.
 */
export class Ticker {
  readonly #clock: Clock
  readonly #options: Pick<CacheOptions, 'sliceMs' | 'restMsMax'>
  readonly #waiting = new Set<Worker>()
  #scheduled: Closable | undefined
  #burstMs = 0
  #restedAtMs = 0
  #closed = false

  constructor(clock: Clock, options: Pick<CacheOptions, 'sliceMs' | 'restMsMax'>) {
    this.#clock = clock
    this.#options = options
  }

  /** `worker` has work to do. */
  want(worker: Worker): void {
    if (this.#closed) return
    this.#waiting.add(worker)
    if (this.#scheduled) return
    const restMs = this.#restedAtMs - this.#clock.monotonicMs()
    this.#scheduled = restMs >= 1 ? this.#clock.after(restMs, () => this.#run()) : this.#clock.soon(() => this.#run())
  }

  close(): void {
    this.#closed = true
    void this.#scheduled?.close()
    this.#waiting.clear()
  }

  #run(): void {
    const startMs = this.#clock.monotonicMs()
    const deadlineMs = startMs + this.#options.sliceMs
    const expired = (): boolean => this.#clock.monotonicMs() >= deadlineMs
    for (const worker of this.#waiting) {
      this.#waiting.delete(worker)
      if (worker.work(expired)) this.#waiting.add(worker)
      if (expired()) break
    }
    this.#scheduled = undefined
    if (this.#closed) return
    const endMs = this.#clock.monotonicMs()
    this.#burstMs += endMs - startMs
    if (this.#waiting.size > 0) {
      this.#scheduled = this.#clock.soon(() => this.#run())
      return
    }
    this.#restedAtMs =
      this.#burstMs < restFromMs ? 0 : endMs + Math.min(restFactor * this.#burstMs, this.#options.restMsMax)
    this.#burstMs = 0
  }
}
