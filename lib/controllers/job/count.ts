import { IndexSet } from './indexset.ts'
import { failuresOf, indexOf, isTracked, type SomePod } from './pod.ts'
import type { Turn } from './turn.ts'

/** Consecutive failures since the last success, which delay new pods. */
export interface FailureRun {
  readonly count: number
  readonly lastMs: number
}

export interface Count {
  /** Pods that the status does not count yet. */
  readonly succeeded: readonly SomePod[]
  readonly failed: readonly SomePod[]
  readonly completed: IndexSet
  readonly failedIndexes: IndexSet
  readonly succeededTotal: number
  readonly failedTotal: number
}

/** The finished pods that the status does not count yet. */
export function countPods(turn: Turn): Count {
  const { spec, status } = turn.job
  const uncounted = status.uncountedTerminatedPods ?? {}
  const noted = new Set([...(uncounted.succeeded ?? []), ...(uncounted.failed ?? [])])
  const completions = spec.completions ?? 0
  const fresh = turn.pods.filter((pod) => isTracked(pod) && !noted.has(pod.metadata.uid ?? ''))
  const known = IndexSet.parse(status.completedIndexes, completions)
  const newlyCompleted = new Set<number>()
  const succeeded: SomePod[] = []
  for (const pod of fresh.filter((each) => each.status.phase === 'Succeeded')) {
    const index = indexOf(pod)
    if (turn.isIndexed && (index === undefined || index >= completions)) continue
    if (turn.isIndexed && index !== undefined) {
      if (known.has(index) || newlyCompleted.has(index)) continue
      newlyCompleted.add(index)
    }
    succeeded.push(pod)
  }
  const failed = fresh.filter((pod) => turn.hasFailed(pod))
  const newlyFailed = new Set<number>()
  for (const pod of turn.limitsIndexes ? failed : []) {
    const index = indexOf(pod)
    if (index !== undefined && index < completions && failsIndex(turn, pod)) newlyFailed.add(index)
  }
  const completed = known.plus(newlyCompleted)
  const failedIndexes = IndexSet.parse(status.failedIndexes, completions).plus(newlyFailed).minus(completed)
  const counted = failed.filter((pod) => turn.verdict(pod).action !== 'Ignore')
  return {
    succeeded,
    failed,
    completed,
    failedIndexes,
    succeededTotal: turn.isIndexed
      ? completed.size
      : (status.succeeded ?? 0) + (uncounted.succeeded?.length ?? 0) + succeeded.length,
    failedTotal: (status.failed ?? 0) + (uncounted.failed?.length ?? 0) + counted.length,
  }
}

function failsIndex(turn: Turn, pod: SomePod): boolean {
  const { action } = turn.verdict(pod)
  if (action === 'FailIndex') return true
  return action !== 'Ignore' && failuresOf(pod).counted >= (turn.job.spec.backoffLimitPerIndex ?? 0)
}

/** The run of failures after these pods have ended. */
export function failuresAfter(
  { count, lastMs }: FailureRun,
  { succeeded, failed }: Count,
  endedMs: (pod: SomePod) => number,
): FailureRun {
  const ended = [
    ...succeeded.map((pod) => ({ atMs: endedMs(pod), ok: true })),
    ...failed.map((pod) => ({ atMs: endedMs(pod), ok: false })),
  ].sort((left, right) => left.atMs - right.atMs)
  for (const { atMs, ok } of ended) [count, lastMs] = ok ? [0, 0] : [count + 1, atMs]
  return { count, lastMs }
}
