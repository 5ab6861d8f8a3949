import type { End, Status } from './conditions.ts'
import type { Count } from './count.ts'
import type { Verdict } from './failurepolicy.ts'
import { formatIndexes } from './indexes.ts'
import { failuresOf, indexOf, isTracked, type SomePod, sumOf } from './pod.ts'
import { batch, type Turn } from './turn.ts'

/** Moves pods into the status: first as uncounted, and into the counters once their finalizer is gone. */
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
      if (waitsForSuccessor(turn, pod, count, end, isGoing)) continue
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
        ...(count.completed.size > 0 ? { completedIndexes: formatIndexes(count.completed) } : {}),
        ...(turn.limitsIndexes ? { failedIndexes: formatIndexes(count.failedIndexes) } : {}),
      }
    : {}
  const moved = uncounted.succeeded.length - still.succeeded.filter((uid) => uncounted.succeeded.includes(uid)).length
  const movedFailed = uncounted.failed.length - still.failed.filter((uid) => uncounted.failed.includes(uid)).length
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

/** With limits per index a failed pod remembers the count until the next one of its index carries it. */
function waitsForSuccessor(
  turn: Turn,
  pod: SomePod,
  { failedIndexes, completed }: Count,
  end: End | undefined,
  isGoing: boolean,
): boolean {
  const index = indexOf(pod)
  if (!turn.limitsIndexes || end || isGoing || index === undefined) return false
  if (failedIndexes.has(index) || completed.has(index) || index >= (turn.job.spec.completions ?? 0)) return false
  const total = sumOf(failuresOf(pod))
  return !turn.pods.some((other) => other !== pod && indexOf(other) === index && sumOf(failuresOf(other)) > total)
}
