import type { End, Status } from './conditions.ts'
import type { Count } from './count.ts'
import type { Verdict } from './failurepolicy.ts'
import { failuresOf, indexOf, isTracked, type SomePod, sumOf } from './pod.ts'
import { batch, type Turn } from './turn.ts'

/** Moves pods into the status: first as uncounted, and into the counters once their finalizer is removed. */
export function trackPods(
  turn: Turn,
  count: Count,
  end: End | undefined,
  isGoing: boolean,
): { status: Partial<Status>; release: readonly SomePod[]; judged: readonly Verdict['action'][] } {
  const { status } = turn.job
  const held = new Set(turn.pods.filter(isTracked).map(({ metadata }) => metadata.uid ?? ''))
  const uncounted = {
    succeeded: status.uncountedTerminatedPods?.succeeded ?? [],
    failed: status.uncountedTerminatedPods?.failed ?? [],
  }
  const still = {
    succeeded: uncounted.succeeded.filter((uid) => held.has(uid)),
    failed: uncounted.failed.filter((uid) => held.has(uid)),
  }
  const known = new Set([...still.succeeded, ...still.failed])
  const successors = turn.limitsIndexes && !end && !isGoing ? mostFailures(turn.pods) : undefined
  const release: SomePod[] = []
  const judged: Verdict['action'][] = []
  for (const pod of turn.pods.filter(isTracked)) {
    if (release.length >= batch) break
    const uid = pod.metadata.uid ?? ''
    if (known.has(uid)) release.push(pod)
    else if (pod.status.phase === 'Succeeded') {
      if (!turn.isIndexed) still.succeeded.push(uid)
      release.push(pod)
    } else if (turn.hasFailed(pod)) {
      if (successors && waitsForSuccessor(turn, pod, count, successors)) continue
      const { action, byRule } = turn.verdict(pod)
      if (byRule) judged.push(action)
      if (action !== 'Ignore' || end?.type === 'FailureTarget') still.failed.push(uid)
      release.push(pod)
    } else if (end || isGoing) {
      if (end?.type === 'FailureTarget') still.failed.push(uid)
      release.push(pod)
    }
  }
  const has = still.succeeded.length > 0 || still.failed.length > 0
  const indexes = turn.isIndexed
    ? {
        ...(count.completed.size > 0 ? { completedIndexes: String(count.completed) } : {}),
        ...(turn.limitsIndexes ? { failedIndexes: String(count.failedIndexes) } : {}),
      }
    : {}
  const moved = movedFrom(uncounted.succeeded, held)
  const movedFailed = movedFrom(uncounted.failed, held)
  return {
    release,
    judged,
    status: {
      ...indexes,
      succeeded: turn.isIndexed ? count.completed.size : (status.succeeded ?? 0) + moved,
      failed: (status.failed ?? 0) + movedFailed,
      uncountedTerminatedPods: has
        ? {
            ...(still.succeeded.length > 0 ? { succeeded: still.succeeded } : {}),
            ...(still.failed.length > 0 ? { failed: still.failed } : {}),
          }
        : {},
    },
  }
}

/** The number of uncounted pods whose finalizer is removed: they are counted now. */
function movedFrom(uncounted: readonly string[], held: ReadonlySet<string>): number {
  return uncounted.filter((uid) => !held.has(uid)).length
}

/** With limits per index, a failed pod stays until the next pod of its index carries the number of failures. */
function waitsForSuccessor(
  turn: Turn,
  pod: SomePod,
  { failedIndexes, completed }: Count,
  successors: ReadonlyMap<number, number>,
): boolean {
  const index = indexOf(pod)
  if (index === undefined) return false
  if (failedIndexes.has(index) || completed.has(index) || index >= (turn.job.spec.completions ?? 0)) return false
  return (successors.get(index) ?? 0) <= sumOf(failuresOf(pod))
}

/** The highest number of failures on a pod, by index. */
function mostFailures(pods: readonly SomePod[]): ReadonlyMap<number, number> {
  const most = new Map<number, number>()
  for (const pod of pods) {
    const index = indexOf(pod)
    if (index !== undefined) most.set(index, Math.max(most.get(index) ?? 0, sumOf(failuresOf(pod))))
  }
  return most
}
