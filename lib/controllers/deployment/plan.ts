import type { Pod } from '../../../api/gen/core/v1.ts'
import { controllerReference } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { isTerminal } from '../shared/podstate.ts'
import { templateHash } from '../shared/templatehash.ts'
import { type Rollback, rollbackOf } from './rollback.ts'
import { proportions } from './scale.ts'
import {
  annotation,
  annotationsThat,
  available,
  byRevision,
  fenceposts,
  hashLabel,
  numberIn,
  resized,
  revisionOf,
  type SetChange,
  type SomeDeployment,
  type SomeSet,
  sizeAnnotations,
  splitSets,
  sum,
  wanted,
} from './sets.ts'

interface Observed {
  readonly deployment: SomeDeployment
  readonly sets: readonly SomeSet[]
  /** The pods of a set; used for the strategy Recreate only. */
  pods(set: SomeSet): readonly Frozen<Pod>[]
}

/** One step of a rollout. */
export interface Plan {
  readonly create: SomeSet | undefined
  readonly change: readonly SetChange[]
  readonly remove: readonly SomeSet[]
  /** The deployment's sets after the step, the new one first. */
  readonly newSet: SomeSet | undefined
  readonly oldSets: readonly SomeSet[]
  /** The deployment to write, instead of any other change. */
  readonly rollback?: Rollback
  /** The revision of a new set that an earlier turn created. */
  readonly revision: string | undefined
}

const historyCharactersMax = 2000
const int32Max = 2_147_483_647
const nameCharactersMax = 253

/** A step that scales sets does nothing else: the next step is planned on the new state. */
export function plan(seen: Observed): Plan {
  const { deployment } = seen
  const { newSet, oldSets } = splitSets(deployment, seen.sets)
  const still: Plan = {
    create: undefined,
    change: [],
    remove: [],
    newSet,
    oldSets,
    revision: newSet?.metadata.annotations?.[annotation.revision],
  }
  if (deployment.metadata.deletionTimestamp !== undefined) return still
  const rollback = rollbackOf(deployment, seen.sets)
  if (rollback && !deployment.spec.paused) return { ...still, rollback }
  if (deployment.spec.paused || isScaling(deployment, seen.sets)) {
    const change = proportions(deployment, newSet, oldSets)
    // With the strategy Recreate, proportional scaling would leave several sets in use forever.
    if (change.length === 0 && !deployment.spec.paused && isRecreating(deployment)) return recreate(seen, still)
    const remove = deployment.spec.paused && change.length === 0 && !rollback ? cleanup(deployment, oldSets) : []
    return changed({ ...still, remove }, change)
  }
  return isRecreating(deployment) ? recreate(seen, still) : roll(deployment, still)
}

function isRecreating({ spec }: SomeDeployment): boolean {
  return spec.strategy.type === 'Recreate'
}

function isScaling(deployment: SomeDeployment, sets: readonly SomeSet[]): boolean {
  return sets.some((set) => {
    const desired = numberIn(set, annotation.desired)
    return wanted(set) > 0 && desired !== undefined && desired !== wanted(deployment)
  })
}

/** The plan with the sets after the changes. */
function changed(plan: Plan, change: readonly SetChange[]): Plan {
  const after = new Map(change.map(({ set }) => [set.metadata.uid, set]))
  const now = (set: SomeSet): SomeSet => after.get(set.metadata.uid) ?? set
  return { ...plan, change, newSet: plan.newSet && now(plan.newSet), oldSets: plan.oldSets.map(now) }
}

/** The step that creates the new set or corrects its annotations; undefined: neither is needed. */
function prepareNewSet(deployment: SomeDeployment, still: Plan, replicas: number): Plan | undefined {
  const { newSet, oldSets } = still
  const revision = oldSets.map(revisionOf).reduce((most, each) => (each > most ? each : most), 0n) + 1n
  if (!newSet) {
    const create = makeSet(deployment, revision, replicas)
    return { ...still, create, newSet: create, revision: String(revision) }
  }
  const annotations = annotationsOf(deployment, newSet, revision)
  const { minReadySeconds = 0 } = deployment.spec
  const before = newSet.metadata.annotations ?? {}
  const isRight = Object.entries(annotations).every(([name, value]) => before[name] === value)
  if (isRight && (newSet.spec.minReadySeconds ?? 0) === minReadySeconds) return undefined
  const set = {
    ...newSet,
    metadata: { ...newSet.metadata, annotations: { ...before, ...annotations } },
    spec: { ...newSet.spec, minReadySeconds },
  }
  const step = changed(still, [{ set, from: wanted(set), to: wanted(set) }])
  return { ...step, revision: set.metadata.annotations[annotation.revision] }
}

/** A set that is used again gets the highest revision, and a list of its former ones. */
function annotationsOf(deployment: SomeDeployment, set: SomeSet, revision: bigint): Record<string, string> {
  const before = set.metadata.annotations ?? {}
  const known = revisionOf(set)
  const base = annotationsThat('pass', deployment)
  if (known >= revision) return base
  const history = known === 0n ? [] : [...(before[annotation.history]?.split(',') ?? []), String(known)]
  const kept = newestWithin(history, historyCharactersMax)
  return {
    ...base,
    [annotation.revision]: String(revision),
    ...(kept.length === 0 ? {} : { [annotation.history]: kept.join(',') }),
  }
}

/** The latest entries that fit when they are joined by commas. An annotation may hold a very long list. */
function newestWithin(history: readonly string[], charactersMax: number): readonly string[] {
  let characters = -1
  const tooMany = history.findLastIndex((each) => (characters += each.length + 1) > charactersMax)
  return history.slice(tooMany + 1)
}

function makeSet(deployment: SomeDeployment, revision: bigint, replicas: number): SomeSet {
  const { metadata, spec, status } = deployment
  const hash = templateHash(spec.template, status.collisionCount ?? 0)
  const name = `${(metadata.name ?? '').slice(0, nameCharactersMax - 1 - hash.length)}-${hash}`
  const labels = { ...spec.template.metadata.labels, [hashLabel]: hash }
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace: metadata.namespace,
      labels,
      annotations: {
        ...annotationsThat('pass', deployment),
        ...sizeAnnotations(deployment),
        [annotation.revision]: String(revision),
      },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      minReadySeconds: spec.minReadySeconds ?? 0,
      selector: { ...spec.selector, matchLabels: { ...spec.selector?.matchLabels, [hashLabel]: hash } },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
    status: { replicas: 0 },
  }
}

function roll(deployment: SomeDeployment, still: Plan): Plan {
  const { newSet, oldSets } = still
  const replicas = wanted(deployment)
  const { surge, unavailable } = fenceposts(deployment)
  const all = newSet ? [newSet, ...oldSets] : oldSets
  const total = sum(all, wanted)
  const room = Math.max(0, replicas + surge - total)
  const prepared = prepareNewSet(deployment, still, Math.min(room, replicas))
  if (prepared || !newSet) return prepared ?? still
  if (wanted(newSet) > replicas) return changed(still, [resized(deployment, newSet, replicas)])
  const more = Math.min(room, replicas - wanted(newSet))
  if (more > 0) return changed(still, [resized(deployment, newSet, wanted(newSet) + more)])
  const down = shrinkOld(deployment, newSet, oldSets, replicas - unavailable)
  if (down.length > 0) return changed(still, down)
  return isComplete(deployment, newSet, oldSets) ? { ...still, remove: cleanup(deployment, oldSets) } : still
}

/** Removes the unhealthy pods of old sets first, then those that the new set's available pods replace. */
function shrinkOld(
  deployment: SomeDeployment,
  newSet: SomeSet,
  oldSets: readonly SomeSet[],
  least: number,
): SetChange[] {
  const all = [newSet, ...oldSets]
  let budget = sum(all, wanted) - least - (wanted(newSet) - available(newSet))
  if (budget <= 0) return []
  const sizes = new Map(oldSets.map((set) => [set, wanted(set)]))
  for (const set of oldSets) {
    const unhealthy = Math.min(budget, wanted(set) - available(set))
    if (unhealthy <= 0) continue
    sizes.set(set, wanted(set) - unhealthy)
    budget -= unhealthy
  }
  // A set that was scaled down may still have more pods: the surplus does not count.
  let spare = sum(all, (set) => Math.min(available(set), wanted(set))) - least
  for (const set of oldSets) {
    const size = sizes.get(set) ?? 0
    const taken = Math.min(spare, size)
    if (taken <= 0) continue
    sizes.set(set, size - taken)
    spare -= taken
  }
  return oldSets.flatMap((set) => {
    const size = sizes.get(set) ?? 0
    return size === wanted(set) ? [] : [resized(deployment, set, size)]
  })
}

function recreate(seen: Observed, still: Plan): Plan {
  const { deployment } = seen
  const { newSet, oldSets } = still
  const down = oldSets.filter((set) => wanted(set) > 0).map((set) => resized(deployment, set, 0))
  if (down.length > 0) return changed(still, down)
  const lives = (set: SomeSet): boolean => set.status.replicas > 0 || seen.pods(set).some((pod) => !isTerminal(pod))
  if (oldSets.some(lives)) return still
  const prepared = prepareNewSet(deployment, still, wanted(deployment))
  if (prepared || !newSet) return prepared ?? still
  if (wanted(newSet) !== wanted(deployment)) return changed(still, [resized(deployment, newSet, wanted(deployment))])
  return isComplete(deployment, newSet, oldSets) ? { ...still, remove: cleanup(deployment, oldSets) } : still
}

function isComplete(deployment: SomeDeployment, newSet: SomeSet, oldSets: readonly SomeSet[]): boolean {
  const replicas = wanted(deployment)
  const { status } = newSet
  return (
    status.replicas === replicas && available(newSet) === replicas && sum(oldSets, (set) => set.status.replicas) === 0
  )
}

/** Old sets beyond the history limit, lowest revision first. */
function cleanup({ spec }: SomeDeployment, oldSets: readonly SomeSet[]): readonly SomeSet[] {
  const limit = spec.revisionHistoryLimit ?? int32Max
  if (limit >= int32Max) return []
  const kept = oldSets.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const sorted = [...kept].sort(byRevision)
  return sorted
    .slice(0, Math.max(0, kept.length - limit))
    .filter(
      (set) =>
        wanted(set) === 0 &&
        set.status.replicas === 0 &&
        (set.metadata.generation ?? 0) <= (set.status.observedGeneration ?? 0),
    )
}
