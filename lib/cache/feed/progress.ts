import { assert, type Clock } from '../../base/index.ts'
import { noRevision, type Revision } from '../../object/index.ts'

interface Waiter {
  readonly revision: Revision
  readonly done: (reached: boolean) => void
}

/** The revision that the feed has reached, and the readers that wait for a later one. */
export class Progress {
  readonly #clock: Clock
  #revision: Revision = noRevision
  #waiters = new Set<Waiter>()
  /** Smallest awaited revision: most advances wake no reader. */
  #awaited = Number.POSITIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get revision(): Revision {
    return this.#revision
  }

  /** All caches show `revision` now. */
  advance(revision: Revision): void {
    assert(revision >= this.#revision, `progress: revision ${revision} after ${this.#revision}`)
    this.#revision = revision
    if (revision < this.#awaited) return
    this.#awaited = Number.POSITIVE_INFINITY
    for (const waiter of this.#waiters)
      if (waiter.revision <= revision) waiter.done(true)
      else this.#awaited = Math.min(this.#awaited, waiter.revision)
  }

  /** True once `revision` is reached; false when `waitMs` pass first. */
  reached(revision: Revision, waitMs: number): Promise<boolean> {
    if (this.#revision >= revision) return Promise.resolve(true)
    return new Promise((resolve) => {
      const timer = this.#clock.after(waitMs, () => waiter.done(false))
      const waiter: Waiter = {
        revision,
        done: (reached) => {
          this.#waiters.delete(waiter)
          void timer.close()
          resolve(reached)
        },
      }
      this.#waiters.add(waiter)
      this.#awaited = Math.min(this.#awaited, revision)
    })
  }

  /** Ends all waits. */
  close(): void {
    for (const waiter of this.#waiters) waiter.done(false)
  }
}
