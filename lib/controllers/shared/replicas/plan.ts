import type { Pod } from '../../../../api/gen/core/v1.ts'
import { deepEqual, type Frozen, formatTime } from '../../../object/index.ts'
import { createdMs } from '../creationtime.ts'
import { inDeletionOrder } from '../deletionorder.ts'
import { isAvailable, isReady, nextAvailableMs } from '../podstate.ts'
import type { Observed } from './observe.ts'

/** The status of a ReplicaSet or ReplicationController. */
export interface ReplicaStatus {
  replicas: number
  fullyLabeledReplicas?: number
  readyReplicas?: number
  availableReplicas?: number
  terminatingReplicas?: number
  observedGeneration?: number
  conditions?: { type: string; status: string; lastTransitionTime?: string; reason?: string; message?: string }[]
}

export interface Plan {
  /** Number of pods to create. */
  readonly create: number
  readonly delete: readonly Frozen<Pod>[]
  /** Milliseconds until the next ready pod becomes available. */
  readonly againAfterMs: number | undefined
}

/** A failure to create or delete pods. */
export interface Failure {
  readonly reason: 'FailedCreate' | 'FailedDelete'
  readonly message: string
}

/** Maximum number of pods created or deleted in one turn. */
const burst = 500

/** Plans the pods to create or delete. For an owner that is being deleted, only the status is updated. */
export function plan(seen: Observed, nowMs: number): Plan {
  const againAfterMs = nextAvailableMs(seen.active, seen.minReadySeconds, nowMs)
  const missing = seen.replicas - seen.active.length
  if (missing === 0 || seen.object.metadata.deletionTimestamp !== undefined)
    return { create: 0, delete: [], againAfterMs }
  if (missing > 0) return { create: Math.min(missing, burst), delete: [], againAfterMs }
  const ranked = inDeletionOrder(seen.active, { nowMs, relatedByNode: seen.relatedByNode })
  return { create: 0, delete: ranked.slice(0, Math.min(-missing, burst)), againAfterMs }
}

/** The ages of the ready pods among `deleted`, as multiples of the youngest ready pod's age. */
export function ageRatios(active: readonly Frozen<Pod>[], deleted: readonly Frozen<Pod>[], nowMs: number): number[] {
  if (deleted.length === 0) return []
  const youngestMs = active.filter(isReady).reduce((latest, pod) => Math.max(latest, createdMs(pod)), 0)
  const youngestAgeMs = Math.max(1, nowMs - youngestMs)
  return deleted.filter(isReady).map((pod) => (nowMs - createdMs(pod)) / youngestAgeMs)
}

/**
 * Whether the status lacks at most the generation, and numbers of 0 pods. After pods have been created, it is left to
 * the next turn, which writes the generation together with these pods: one write in the place of two.
 */
export function isSettled(seen: Observed, nowMs: number): boolean {
  const { object, terminating } = seen
  const status = {
    ...seen.status,
    observedGeneration: object.metadata.generation ?? 0,
    ...(terminating !== undefined && { terminatingReplicas: seen.status.terminatingReplicas ?? 0 }),
  }
  return statusAfter({ ...seen, status }, undefined, nowMs) === undefined
}

/** The status to write; undefined: it needs no change. */
export function statusAfter(seen: Observed, failure: Failure | undefined, nowMs: number): ReplicaStatus | undefined {
  const { active, terminating, template, minReadySeconds, object, status: before } = seen
  const labels = Object.entries(template.metadata.labels ?? {})
  const carries = (pod: Frozen<Pod>): boolean => labels.every(([key, value]) => pod.metadata.labels?.[key] === value)
  const conditions = conditionsAfter(seen, failure, nowMs)
  let [labeled, ready, available] = [0, 0, 0]
  for (const pod of active) {
    if (carries(pod)) labeled++
    if (!isReady(pod)) continue
    ready++
    if (isAvailable(pod, minReadySeconds, nowMs)) available++
  }
  const status: ReplicaStatus = {
    replicas: active.length,
    fullyLabeledReplicas: labeled,
    readyReplicas: ready,
    availableReplicas: available,
    ...(terminating !== undefined && { terminatingReplicas: terminating }),
    observedGeneration: object.metadata.generation ?? 0,
    conditions: conditions.length === 0 ? undefined : conditions,
  }
  return sameStatus(before, status) ? undefined : status
}

const replicaFailure = 'ReplicaFailure'

/** The condition of a failure stays as it was first written, until a turn without failure. */
function conditionsAfter(
  { status }: Observed,
  failure: Failure | undefined,
  nowMs: number,
): NonNullable<ReplicaStatus['conditions']> {
  const others = (status.conditions ?? []).filter(({ type }) => type !== replicaFailure)
  if (failure === undefined) return others
  const known = status.conditions?.find(({ type }) => type === replicaFailure)
  const condition = known ?? {
    type: replicaFailure,
    status: 'True',
    lastTransitionTime: formatTime(nowMs),
    reason: failure.reason,
    message: failure.message,
  }
  return [...others, condition]
}

function sameStatus(before: Frozen<ReplicaStatus>, after: ReplicaStatus): boolean {
  return (
    before.replicas === after.replicas &&
    (before.fullyLabeledReplicas ?? 0) === after.fullyLabeledReplicas &&
    (before.readyReplicas ?? 0) === after.readyReplicas &&
    (before.availableReplicas ?? 0) === after.availableReplicas &&
    before.terminatingReplicas === after.terminatingReplicas &&
    (before.observedGeneration ?? 0) === after.observedGeneration &&
    deepEqual(before.conditions ?? [], after.conditions ?? [])
  )
}
