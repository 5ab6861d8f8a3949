import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/index.ts'
import type { FailureRun } from './count.ts'
import { finishedMs, type SomePod } from './pod.ts'

/** Failures hold new pods up. They are kept by the monotonic clock: pauses last as long however the wall clock is set. */
export interface FailureRuns {
  /** The run of a job, in the wall clock's present time. */
  get(uid: string): FailureRun
  set(uid: string, run: FailureRun): void
  /** When a pod ended, in the wall clock's present time; an end that is yet to come is taken for one at first sight. */
  endedMs(pod: SomePod): number
}

const runsMax = 20_000
const podsMax = 20_000

export function createFailureRuns(clock: Clock): FailureRuns {
  // With `max` each would take its whole room at once.
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
