import type { Deployment, DeploymentCondition } from '../../../api/gen/apps/v1.ts'
import { deepEqual, type Frozen, formatTime, parseTime } from '../../object/index.ts'
import type { Plan } from './plan.ts'
import { annotation, available, fenceposts, type SomeDeployment, type SomeSet, sum, wanted } from './sets.ts'

type Status = Deployment['status']
type Conditions = readonly Frozen<DeploymentCondition>[]

const noDeadline = 2_147_483_647

/** The deployment with its new status; undefined: it needs no change. */
export function statusAfter(
  deployment: SomeDeployment,
  plan: Plan,
  nowMs: number,
  reportsTerminating: boolean,
  failure?: { readonly reason: string; readonly message: string },
): Frozen<Deployment> | undefined {
  const { newSet, oldSets, revision } = plan
  const all = newSet ? [newSet, ...oldSets] : oldSets
  const { terminatingReplicas: terminatingBefore, ...before } = deployment.status
  const terminating = reportsTerminating ? terminatingIn(all) : undefined
  const count = sum(all, available)
  const counts = {
    replicas: sum(all, ({ status }) => status.replicas),
    updatedReplicas: newSet?.status.replicas ?? 0,
    readyReplicas: sum(all, ({ status }) => status.readyReplicas ?? 0),
    availableReplicas: count,
    unavailableReplicas: Math.max(0, sum(all, wanted) - count),
  }
  const conditions = conditionsAfter(deployment, plan, counts, nowMs, failure)
  const status: Frozen<Status> = {
    ...before,
    observedGeneration: deployment.metadata.generation ?? 0,
    ...counts,
    ...(terminating !== undefined && { terminatingReplicas: terminating }),
    ...(conditions.length === 0 ? {} : { conditions }),
  }
  const annotated = deployment.metadata.annotations?.[annotation.revision]
  const isSame =
    terminating === terminatingBefore &&
    deepEqual({ ...blank, ...deployment.status, conditions: before.conditions ?? [] }, { ...status, conditions }) &&
    (revision === undefined || annotated === revision)
  if (isSame) return undefined
  const annotations =
    revision === undefined
      ? deployment.metadata.annotations
      : { ...deployment.metadata.annotations, [annotation.revision]: revision }
  return { ...deployment, metadata: { ...deployment.metadata, annotations }, status }
}

/** Undefined as long as a set doesn't report it. */
function terminatingIn(sets: readonly SomeSet[]): number | undefined {
  const counts = sets.map(({ status }) => status.terminatingReplicas)
  return counts.includes(undefined) ? undefined : counts.reduce<number>((total, count = 0) => total + count, 0)
}

const blank = {
  observedGeneration: 0,
  replicas: 0,
  updatedReplicas: 0,
  readyReplicas: 0,
  availableReplicas: 0,
  unavailableReplicas: 0,
}

interface Counts {
  readonly replicas: number
  readonly updatedReplicas: number
  readonly readyReplicas: number
  readonly availableReplicas: number
}

function conditionsAfter(
  deployment: SomeDeployment,
  plan: Plan,
  counts: Counts,
  nowMs: number,
  failure: { readonly reason: string; readonly message: string } | undefined,
): Conditions {
  let conditions: Conditions = deployment.status.conditions ?? []
  const now = formatTime(nowMs)
  const set = (type: string, status: string, reason: string, message: string): void => {
    conditions = withCondition(conditions, { type, status, reason, message }, now)
  }
  if (counts.availableReplicas >= wanted(deployment) - fenceposts(deployment).unavailable)
    set('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.')
  else set('Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.')

  if (hasDeadline(deployment)) {
    const progress = failure
      ? { status: 'False', ...failure }
      : progressOf(deployment, plan, counts, progressing(conditions), nowMs)
    if (progress) {
      const known = progressing(conditions)
      const moved = progress.reason === 'ReplicaSetUpdated' && known?.status === 'True'
      if (moved)
        // Progress updates the time of the condition, and no transition.
        conditions = conditions.map((each) => (each === known ? { ...each, ...progress, lastUpdateTime: now } : each))
      else set('Progressing', progress.status, progress.reason, progress.message)
    }
  }
  const failing = failingOf(plan)
  const others = conditions.filter(({ type }) => type !== 'ReplicaFailure')
  return failing ? withCondition(conditions, failing, now) : others
}

function failingOf({ newSet, oldSets }: Plan): Frozen<DeploymentCondition> | undefined {
  for (const set of newSet ? [newSet, ...oldSets] : oldSets) {
    const found = set.status.conditions?.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True')
    if (found) return found
  }
  return undefined
}

function progressing(conditions: Conditions): Frozen<DeploymentCondition> | undefined {
  return conditions.find(({ type }) => type === 'Progressing')
}

export function hasDeadline({ spec }: SomeDeployment): boolean {
  return spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== noDeadline
}

interface Progress {
  readonly status: string
  readonly reason: string
  readonly message: string
}

/** Undefined: no change. */
function progressOf(
  deployment: SomeDeployment,
  { newSet, create }: Plan,
  counts: Counts,
  known: Frozen<DeploymentCondition> | undefined,
  nowMs: number,
): Progress | undefined {
  const { metadata, spec, status: before } = deployment
  const what = newSet ? `ReplicaSet "${newSet.metadata.name ?? ''}"` : `Deployment "${metadata.name ?? ''}"`
  if (spec.paused) {
    if (known?.reason === 'DeploymentPaused' || known?.reason === 'ProgressDeadlineExceeded') return undefined
    return { status: 'Unknown', reason: 'DeploymentPaused', message: 'Deployment is paused' }
  }
  if (known?.reason === 'DeploymentPaused')
    return { status: 'Unknown', reason: 'DeploymentResumed', message: 'Deployment is resumed' }
  if (create)
    return {
      status: 'True',
      reason: 'NewReplicaSetCreated',
      message: `Created new replica set "${create.metadata.name ?? ''}"`,
    }
  if (!known && newSet)
    return {
      status: 'True',
      reason: 'FoundNewReplicaSet',
      message: `Found new replica set "${newSet.metadata.name ?? ''}"`,
    }
  if (known?.reason === 'NewReplicaSetAvailable' && counts.replicas === counts.updatedReplicas) return undefined
  const replicas = wanted(deployment)
  const isComplete =
    counts.updatedReplicas === replicas && counts.replicas === replicas && counts.availableReplicas === replicas
  if (isComplete)
    return { status: 'True', reason: 'NewReplicaSetAvailable', message: `${what} has successfully progressed.` }
  const oldBefore = (before.replicas ?? 0) - (before.updatedReplicas ?? 0)
  const isMoving =
    counts.updatedReplicas > (before.updatedReplicas ?? 0) ||
    counts.replicas - counts.updatedReplicas < oldBefore ||
    counts.readyReplicas > (before.readyReplicas ?? 0) ||
    counts.availableReplicas > (before.availableReplicas ?? 0)
  if (isMoving) return { status: 'True', reason: 'ReplicaSetUpdated', message: `${what} is progressing.` }
  const dueMs = deadlineMs(deployment, known)
  if (dueMs !== undefined && dueMs < nowMs)
    return { status: 'False', reason: 'ProgressDeadlineExceeded', message: `${what} has timed out progressing.` }
  return undefined
}

/** The time at which a rollout without progress is reported as failed. */
export function deadlineMs(
  { spec }: SomeDeployment,
  known: Frozen<DeploymentCondition> | undefined,
): number | undefined {
  if (known?.lastUpdateTime === undefined || known.reason === 'ProgressDeadlineExceeded') return undefined
  if (known.reason === 'NewReplicaSetAvailable') return undefined
  return parseTime(known.lastUpdateTime) + (spec.progressDeadlineSeconds ?? 0) * 1000
}

/** An equal condition is kept as it is; one of the same status keeps the time of its transition. */
function withCondition(
  conditions: Conditions,
  { type, status, reason, message }: Frozen<DeploymentCondition>,
  now: string,
): Conditions {
  const known = conditions.find((each) => each.type === type)
  if (known?.status === status && known.reason === reason) return conditions
  const since = known?.status === status ? known.lastTransitionTime : undefined
  const made = {
    type,
    status,
    lastUpdateTime: now,
    lastTransitionTime: since ?? now,
    reason,
    message,
  }
  return [...conditions.filter((each) => each.type !== type), made]
}
