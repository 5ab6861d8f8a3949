import { inDeletionOrder } from '../shared/deletionorder.ts'
import { isActive, isTerminating } from '../shared/podstate.ts'
import type { Count, FailureRun } from './count.ts'
import { failuresOf, type IndexFailures, indexOf, type SomePod, sumOf } from './pod.ts'
import { batch, type Turn } from './turn.ts'

export interface Creation {
  readonly index?: number
  readonly failures?: IndexFailures
}

interface Managed {
  readonly create: readonly Creation[]
  readonly drop: readonly SomePod[]
}

const backoffMs = 10_000
const backoffMsMax = 10 * 60_000

/** The pods to create or to drop for the wanted number of active pods. */
export function managePods(turn: Turn, count: Count, failures: FailureRun): Managed {
  const { parallelism = 1, completions, suspend } = turn.job.spec
  if (suspend) return { create: [], drop: turn.active.slice(0, batch) }
  let wanted = parallelism
  if (completions === undefined) {
    if (count.succeededTotal > 0) wanted = Math.min(turn.active.length, parallelism)
  } else {
    const done = count.succeededTotal + (turn.limitsIndexes ? count.failedIndexes.size : 0)
    wanted = Math.min(parallelism, Math.max(0, completions - done))
  }
  const surplus = surplusOf(turn, count, wanted)
  if (surplus.length > 0) return { create: [], drop: surplus.slice(0, batch) }
  const missing = wanted - turn.active.length - (turn.replacesFailedOnly ? turn.terminating : 0)
  return { create: missing > 0 ? creationsFor(turn, count, failures, Math.min(missing, batch)) : [], drop: [] }
}

/** Surplus pods: those of finished indexes first, then in deletion order. */
function surplusOf(turn: Turn, { completed, failedIndexes }: Count, wanted: number): SomePod[] {
  const ranked = inDeletionOrder(turn.active, { nowMs: turn.nowMs })
  if (!turn.isIndexed) return ranked.slice(0, Math.max(0, turn.active.length - wanted))
  const taken = new Set<number>()
  const useless = new Set<SomePod>()
  for (const pod of [...ranked].reverse()) {
    const index = indexOf(pod)
    const bad = index === undefined || index >= (turn.job.spec.completions ?? 0) || taken.has(index)
    if (bad || completed.has(index) || failedIndexes.has(index)) useless.add(pod)
    else taken.add(index)
  }
  const rest = ranked.filter((pod) => !useless.has(pod))
  return [...useless, ...rest.slice(0, Math.max(0, rest.length - wanted))]
}

function creationsFor(
  turn: Turn,
  count: Count,
  { count: failures, lastMs }: FailureRun,
  missing: number,
): readonly Creation[] {
  const leftMs = failures === 0 || turn.limitsIndexes ? 0 : lastMs + backoffOf(failures) - turn.nowMs
  if (leftMs > 0) {
    turn.againBy(leftMs)
    return []
  }
  if (!turn.isIndexed) return Array.from({ length: missing }, () => ({}))
  const busy = new Set<number>()
  for (const pod of turn.pods) {
    const index = indexOf(pod)
    if (index !== undefined && (isActive(pod) || (turn.replacesFailedOnly && isTerminating(pod)))) busy.add(index)
  }
  const taken = count.completed.union(count.failedIndexes).plus(busy)
  const lastFailures = turn.limitsIndexes ? lastFailuresOf(count.failed) : undefined
  const created: Creation[] = []
  for (const index of taken.gaps(turn.job.spec.completions ?? 0)) {
    if (created.length >= missing) break
    // Only an index with a failed pod may have to wait.
    const creation = lastFailures ? retryOf(turn, index, lastFailures.get(index)) : { index }
    if (creation) created.push(creation)
  }
  return created
}

/** Undefined: its last failure is too recent. */
function retryOf(turn: Turn, index: number, last: SomePod | undefined): Creation | undefined {
  if (!last) return { index, failures: { counted: 0, ignored: 0 } }
  const before = failuresOf(last)
  const isIgnored = turn.verdict(last).action === 'Ignore'
  const failures = {
    counted: before.counted + (isIgnored ? 0 : 1),
    ignored: before.ignored + (isIgnored ? 1 : 0),
  }
  const leftMs = turn.endedMs(last) + backoffOf(failures.counted + failures.ignored) - turn.nowMs
  if (leftMs <= 0) return { index, failures }
  turn.againBy(leftMs)
  return undefined
}

function backoffOf(failures: number): number {
  return Math.min(backoffMsMax, backoffMs * 2 ** (failures - 1))
}

function lastFailuresOf(failed: readonly SomePod[]): ReadonlyMap<number, SomePod> {
  const lasts = new Map<number, SomePod>()
  for (const pod of failed) {
    const index = indexOf(pod)
    if (index === undefined) continue
    const last = lasts.get(index)
    if (!last || sumOf(failuresOf(pod)) > sumOf(failuresOf(last))) lasts.set(index, pod)
  }
  return lasts
}
