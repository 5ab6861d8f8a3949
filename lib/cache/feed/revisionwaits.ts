import type { Clock } from '../../base/index.ts'
import { type Revision, statusErrors, toResourceVersion } from '../../object/index.ts'
import { untilAborted } from '../abort.ts'
import type { ReadConsistency } from '../contract.ts'
import type { CacheMetrics } from '../metrics.ts'
import type { FreshnessReader } from './freshness.ts'

interface RevisionWaitsDependencies {
  readonly reader: FreshnessReader
  readonly metrics: CacheMetrics
  readonly clock: Clock
}

/**
 * Waits of one cache's reads until it shows the revision that they need. After a wait the caller must check again
 * whether the cache is still ready: the stream may break before the read continues.
 */
export class RevisionWaits {
  readonly #dependencies: RevisionWaitsDependencies
  /** The revision that the cache shows. */
  readonly #revision: () => Revision

  constructor(dependencies: RevisionWaitsDependencies, revision: () => Revision) {
    this.#dependencies = dependencies
    this.#revision = revision
  }

  /**
   * Undefined once the cache is fresh enough. Else the revision that it fails to reach in time: a linearizable read
   * must go to the store.
   */
  async missing(
    at: Exclude<ReadConsistency, { kind: 'exact' }>,
    signal: AbortSignal | undefined,
  ): Promise<Revision | undefined> {
    if (at.kind === 'any') return undefined
    if (at.kind === 'notOlderThan') {
      await this.reach(at.revision, signal)
      return undefined
    }
    const { reader, metrics, clock } = this.#dependencies
    if (reader.isLatest()) {
      metrics.consistentRead(true, false)
      return undefined
    }
    const startMs = clock.monotonicMs()
    const { reached, revision } = await untilAborted(reader.latest(), signal)
    metrics.waited((clock.monotonicMs() - startMs) / 1000)
    metrics.consistentRead(reached, !reached)
    return reached ? undefined : revision
  }

  /** Waits until the cache shows `revision`; 504 when it doesn't in time. */
  async reach(revision: Revision, signal: AbortSignal | undefined): Promise<void> {
    if (revision <= this.#revision()) return
    const { reader, metrics, clock } = this.#dependencies
    const startMs = clock.monotonicMs()
    const reached = await untilAborted(reader.reach(revision), signal)
    metrics.waited((clock.monotonicMs() - startMs) / 1000)
    if (!reached && revision > this.#revision()) throw this.tooLarge(revision)
  }

  tooLarge(requested: Revision): Error {
    return statusErrors.tooLargeResourceVersion(toResourceVersion(requested), toResourceVersion(this.#revision()))
  }
}
