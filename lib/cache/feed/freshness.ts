import type { Clock } from '../../base/index.ts'
import { type Revision, statusErrors } from '../../object/index.ts'
import type { Store } from '../../storage/index.ts'
import type { CacheOptions } from '../options.ts'
import type { Progress } from './progress.ts'

interface FreshnessDependencies {
  readonly store: Pick<Store, 'currentRevision' | 'revisionNow'>
  readonly clock: Clock
  readonly progress: Progress
  /** Asks the store for progress; false when it can't. */
  requestProgress(): boolean
}

type FreshnessOptions = Pick<CacheOptions, 'readWaitMs' | 'progressDelayMs' | 'progressPeriodMs' | 'noProgressWaitMs'>

/** The revision that a linearizable read must see, and whether the feed has reached it. */
interface Freshness {
  readonly revision: Revision
  readonly reached: boolean
}

/**
 * Linearizable reads at one round trip for many. A read may use a revision request only if that began after the read:
 * reads that arrive during one share the next. Requests begin at the end of a turn of the event loop, so that all reads of
 * the turn share one.
 */
export class FreshnessReader {
  readonly #dependencies: FreshnessDependencies
  readonly #options: FreshnessOptions
  #underWay = false
  #next: { promise: Promise<Freshness>; begin: () => void } | undefined
  #progressAskedMs = Number.NEGATIVE_INFINITY

  constructor(dependencies: FreshnessDependencies, options: FreshnessOptions) {
    this.#dependencies = dependencies
    this.#options = options
  }

  /** True when the feed certainly shows everything that was answered until now, known without a request. */
  isLatest(): boolean {
    const { store, progress } = this.#dependencies
    const revision = store.revisionNow?.()
    return revision !== undefined && progress.revision >= revision
  }

  /**
   * The store's revision at some time after this call, once the feed shows it or can't in time. Rejects with 504 when
   * the store doesn't answer for as long as a read waits.
   */
  latest(): Promise<Freshness> {
    if (!this.#next) {
      const { promise, resolve } = Promise.withResolvers<Freshness>()
      this.#next = { promise, begin: () => resolve(this.#begin()) }
      if (!this.#underWay) this.#beginSoon()
    }
    return this.#next.promise
  }

  /** True once the feed shows `revision`; false when it doesn't within the time that a read waits. */
  async reach(revision: Revision, whenNoProgressMs = this.#options.readWaitMs): Promise<boolean> {
    const { progress, clock } = this.#dependencies
    const { readWaitMs, progressDelayMs, progressPeriodMs } = this.#options
    if (progress.revision >= revision) return true
    const deadlineMs = clock.monotonicMs() + readWaitMs
    if (await progress.reached(revision, progressDelayMs)) return true
    for (;;) {
      const leftMs = deadlineMs - clock.monotonicMs()
      if (leftMs <= 0) return false
      if (!this.#askProgress()) return progress.reached(revision, Math.min(leftMs, whenNoProgressMs))
      if (await progress.reached(revision, Math.min(leftMs, progressPeriodMs))) return true
    }
  }

  #beginSoon(): void {
    void this.#dependencies.clock.soon(() => {
      const next = this.#next
      this.#next = undefined
      this.#underWay = true
      next?.begin()
    })
  }

  async #begin(): Promise<Freshness> {
    let revision: Revision
    try {
      revision = await this.#currentRevision()
    } finally {
      this.#underWay = false
      if (this.#next) this.#beginSoon()
    }
    return { revision, reached: await this.reach(revision, this.#options.noProgressWaitMs) }
  }

  async #currentRevision(): Promise<Revision> {
    const { store, clock } = this.#dependencies
    const abort = new AbortController()
    let expire = (): void => {}
    const expired = new Promise<never>((_, reject) => {
      expire = () => {
        abort.abort()
        reject(statusErrors.outOfTime())
      }
    })
    const timer = clock.after(this.#options.readWaitMs, () => expire())
    try {
      return await Promise.race([store.currentRevision({ signal: abort.signal }), expired])
    } finally {
      void timer.close()
    }
  }

  /** Asks at most once a period for all readers together; false when the store can't report progress. */
  #askProgress(): boolean {
    const nowMs = this.#dependencies.clock.monotonicMs()
    if (nowMs - this.#progressAskedMs < this.#options.progressPeriodMs) return true
    if (!this.#dependencies.requestProgress()) return false
    this.#progressAskedMs = nowMs
    return true
  }
}
