import {
  annotation,
  available,
  byAge,
  fenceposts,
  numberIn,
  resized,
  type SetChange,
  type SomeDeployment,
  type SomeSet,
  sum,
  wanted,
} from './sets.ts'

/** Scales the sets of a deployment in the middle of a rollout in proportion to their sizes, which limits the risk. */
export function proportions(
  deployment: SomeDeployment,
  newSet: SomeSet | undefined,
  oldSets: readonly SomeSet[],
): SetChange[] {
  const replicas = wanted(deployment)
  const all = newSet ? [newSet, ...oldSets] : [...oldSets]
  const active = all.filter((set) => wanted(set) > 0)
  if (active.length <= 1) {
    const only = active[0] ?? newSet ?? [...oldSets].sort(byAge).at(-1)
    return only ? changesTo(deployment, [[only, replicas]]) : []
  }
  if (newSet && isSaturated(deployment, newSet))
    return changesTo(
      deployment,
      oldSets.filter((set) => wanted(set) > 0).map((set) => [set, 0] as const),
    )
  if (deployment.spec.strategy.type === 'Recreate') return []

  const allowed = replicas > 0 ? replicas + fenceposts(deployment).surge : 0
  const toAdd = allowed - sum(active, wanted)
  const sorted = [...active].sort(
    (left, right) => wanted(right) - wanted(left) || (toAdd > 0 ? byAge(right, left) : byAge(left, right)),
  )
  const sizes = new Map<SomeSet, number>()
  let added = 0
  for (const set of sorted) {
    const share = toAdd === 0 ? 0 : shareOf(deployment, set, toAdd - added)
    sizes.set(set, wanted(set) + share)
    added += share
  }
  const [largest] = sorted
  if (largest) sizes.set(largest, Math.max(0, (sizes.get(largest) ?? 0) + toAdd - added))
  return changesTo(deployment, [...sizes])
}

function isSaturated(deployment: SomeDeployment, set: SomeSet): boolean {
  const replicas = wanted(deployment)
  return wanted(set) === replicas && numberIn(set, annotation.desired) === replicas && available(set) === replicas
}

/** The set's share of the replicas that are left to add (below zero: to remove). */
function shareOf(deployment: SomeDeployment, set: SomeSet, left: number): number {
  const most = numberIn(set, annotation.most) ?? deployment.status.replicas ?? 0
  if (most <= 0) return 0
  const exact = (wanted(set) * (wanted(deployment) + fenceposts(deployment).surge)) / most
  const share = Math.floor(exact + 0.5) - wanted(set)
  return left > 0 ? Math.max(0, Math.min(share, left)) : Math.min(0, Math.max(share, left))
}

/** Every set gets the new size of its deployment as an annotation, even where its own size stays. */
function changesTo(deployment: SomeDeployment, sizes: readonly (readonly [SomeSet, number])[]): SetChange[] {
  return sizes.flatMap(([set, size]) => {
    const change = resized(deployment, set, size)
    const before = set.metadata.annotations ?? {}
    const isRight = Object.entries(change.set.metadata.annotations ?? {}).every(
      ([name, value]) => before[name] === value,
    )
    return size === wanted(set) && isRight ? [] : [change]
  })
}
