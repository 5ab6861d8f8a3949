import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/index.ts'
import type { FailureRun } from './count.ts'
import { finishedMs, type SomePod } from './pod.ts'

/**
 * The consecutive failures of jobs. They are kept by the monotonic clock, so that pauses keep their length when the
 * wall clock is set.
 */
export interface FailureRuns {
  /** The failures of a job, in the present time of the wall clock. */
  get(uid: string): FailureRun
  set(uid: string, run: FailureRun): void
  /**
   * When a pod ended, in the present time of the wall clock; an end in the future is replaced by the time at which it
   * was first seen.
   */
  endedMs(pod: SomePod): number
}

const runsMax = 20_000
const podsMax = 20_000

export function createFailureRuns(clock: Clock): FailureRuns {
  // With `max`, each would allocate all its entries at the start.
  const runs = new LRUCache<string, { readonly count: number; readonly atMs: number }>(roomFor(runsMax))
  const ends = new LRUCache<string, number>(roomFor(podsMax))
  const monotonic = (wallMs: number): number => clock.monotonicMs() - Math.max(0, clock.now() - wallMs)
  const wall = (monotonicMs: number): number => clock.now() - (clock.monotonicMs() - monotonicMs)
  return {
    get(uid) {
      const run = runs.get(uid)
      return run ? { count: run.count, lastMs: wall(run.atMs) } : { count: 0, lastMs: 0 }
    },
    set(uid, { count, lastMs }) {
      if (count > 0) runs.set(uid, { count, atMs: monotonic(lastMs) })
      else runs.delete(uid)
    },
    endedMs(pod) {
      const uid = pod.metadata.uid ?? ''
      let atMs = ends.get(uid)
      if (atMs === undefined) ends.set(uid, (atMs = monotonic(finishedMs(pod))))
      return wall(atMs)
    },
  }
}

function roomFor(entries: number): { readonly maxSize: number; sizeCalculation(): number } {
  return { maxSize: entries, sizeCalculation: () => 1 }
}
