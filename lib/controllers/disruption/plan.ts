import type { Pod } from '../../../api/gen/core/v1.ts'
import type { PodDisruptionBudget } from '../../../api/gen/policy/v1.ts'
import { deepEqual, type Frozen, formatTime, parseTime, scaledIntOrPercent } from '../../object/index.ts'
import { isReady } from '../shared/podstate.ts'

export type SomeBudget = Frozen<PodDisruptionBudget>
export type SomePod = Frozen<Pod>
type Status = Frozen<PodDisruptionBudget['status']>

/** How long the deletion of a pod may take after its eviction was granted. */
const evictionMs = 2 * 60_000

export interface Observed {
  readonly budget: SomeBudget
  readonly pods: readonly SomePod[]
  /** The sum of the replicas of the pods' owners; unused where minAvailable is a number. */
  readonly scale: number
}

export interface Plan {
  /** Undefined: it needs no change. */
  readonly status: Status | undefined
  /** Pods whose eviction was granted and that were not deleted. */
  readonly notDeleted: readonly SomePod[]
  readonly againAfterMs: number | undefined
}

export function needsScale({ spec }: SomeBudget): boolean {
  return spec.maxUnavailable !== undefined || typeof spec.minAvailable === 'string'
}

export function plan({ budget, pods, scale }: Observed, nowMs: number): Plan {
  const { expected, desired } = wanted(budget, pods.length, scale)
  const granted = grantedEvictions(budget, pods, nowMs)
  const healthy = pods.filter(
    (pod) =>
      pod.metadata.deletionTimestamp === undefined &&
      isReady(pod) &&
      !Object.hasOwn(granted.live, pod.metadata.name ?? ''),
  ).length
  const allowed = expected <= 0 ? 0 : Math.max(0, healthy - desired)
  const status: Status = {
    disruptedPods: Object.keys(granted.live).length === 0 ? undefined : granted.live,
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
    observedGeneration: budget.metadata.generation ?? 0,
    conditions: withCondition(budget, allowed > 0 ? 'SufficientPods' : 'InsufficientPods', '', allowed > 0, nowMs),
  }
  return {
    status: isSame(budget.status, status) ? undefined : status,
    notDeleted: granted.expired,
    againAfterMs: granted.againAfterMs,
  }
}

/** The status while the expected count is unknown: no eviction is allowed. */
export function failSafe(budget: SomeBudget, message: string, nowMs: number): Status | undefined {
  const status: Status = {
    ...budget.status,
    disruptionsAllowed: 0,
    observedGeneration: budget.metadata.generation ?? 0,
    conditions: withCondition(budget, 'SyncFailed', message, false, nowMs),
  }
  return isSame(budget.status, status) ? undefined : status
}

function wanted({ spec }: SomeBudget, count: number, scale: number): { expected: number; desired: number } {
  const { maxUnavailable, minAvailable } = spec
  if (maxUnavailable !== undefined)
    return { expected: scale, desired: Math.max(0, scale - scaledIntOrPercent(maxUnavailable, scale, 'up')) }
  if (typeof minAvailable === 'number') return { expected: count, desired: minAvailable }
  if (minAvailable === undefined) return { expected: 0, desired: 0 }
  return { expected: scale, desired: scaledIntOrPercent(minAvailable, scale, 'up') }
}

function grantedEvictions(
  { status }: SomeBudget,
  pods: readonly SomePod[],
  nowMs: number,
): { live: Record<string, string>; expired: SomePod[]; againAfterMs: number | undefined } {
  const live: Record<string, string> = {}
  const expired: SomePod[] = []
  let next: number | undefined
  const since = new Map(Object.entries(status.disruptedPods ?? {}))
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata
    const at = since.get(name)
    if (at === undefined || deletionTimestamp !== undefined) continue
    const leftMs = parseTime(at) + evictionMs - nowMs
    if (leftMs <= 0) expired.push(pod)
    else {
      live[name] = at
      next = Math.min(next ?? leftMs, leftMs)
    }
  }
  return { live, expired, againAfterMs: next }
}

function withCondition(
  { metadata, status }: SomeBudget,
  reason: string,
  message: string,
  isAllowed: boolean,
  nowMs: number,
): NonNullable<Status['conditions']> {
  const { conditions = [] } = status
  const known = conditions.find(({ type }) => type === 'DisruptionAllowed')
  const value = isAllowed ? 'True' : 'False'
  const since = known?.status === value ? known.lastTransitionTime : undefined
  const made = {
    type: 'DisruptionAllowed',
    status: value,
    observedGeneration: metadata.generation ?? 0,
    lastTransitionTime: since ?? formatTime(nowMs),
    reason,
    message,
  }
  return known ? conditions.map((each) => (each === known ? made : each)) : [...conditions, made]
}

function isSame(before: Status, after: Status): boolean {
  const plain = (status: Status): unknown => ({
    ...status,
    disruptedPods: status.disruptedPods ?? {},
    conditions: (status.conditions ?? []).map((each) => ({
      ...each,
      observedGeneration: each.observedGeneration ?? 0,
    })),
  })
  return deepEqual(plain(before), plain(after))
}

/** The pod with its DisruptionTarget condition set to False. */
export function withoutDisruptionTarget(pod: SomePod, nowMs: number): SomePod {
  const conditions = pod.status.conditions?.map((condition) => {
    if (condition.type !== 'DisruptionTarget') return condition
    const { type, lastProbeTime } = condition
    const { generation } = pod.metadata
    const observed = generation === undefined ? {} : { observedGeneration: generation }
    const said = { type, status: 'False', lastTransitionTime: formatTime(nowMs), ...observed }
    return lastProbeTime === undefined ? said : { ...said, lastProbeTime }
  })
  return { ...pod, status: { ...pod.status, conditions } }
}
