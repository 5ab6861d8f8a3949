import type { Lease } from '../../../api/gen/coordination.k8s.io/v1.ts'
import type { Node, NodeCondition } from '../../../api/gen/core/v1.ts'
import { type Frozen, formatTime, parseTime } from '../../object/index.ts'

export type Readiness = 'True' | 'False' | 'Unknown'

/** One moment by the wall clock, and by the monotonic one, which no adjustment of the former moves. */
export interface Moment {
  readonly nowMs: number
  readonly monotonicMs: number
}

/** The last sign of life of a node. Times are those of this process: the clocks of nodes may be wrong. */
export interface Heartbeat {
  /** The node's heartbeat and the renewal of its lease, as last seen; only their changes count. */
  readonly heartbeat: string
  readonly renewal: string
  /** By the monotonic clock: a wall clock that is set forward must not make all nodes overdue. */
  readonly seenMs: number
}

export interface GracePeriods {
  readonly nodeMonitorGracePeriod: number
  /** For nodes that have never posted a status. */
  readonly nodeStartupGracePeriod: number
}

const conditionTypes = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'] as const
const neverUpdated = { reason: 'NodeStatusNeverUpdated', message: 'Kubelet never posted node status.' }
const stopped = { reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' }

export function conditionOf({ status }: Frozen<Node>, type: string): Frozen<NodeCondition> | undefined {
  return (status.conditions ?? []).find((condition) => condition.type === type)
}

/** Unknown for a node without the condition. */
export function readinessOf(node: Frozen<Node>): Readiness {
  const status = conditionOf(node, 'Ready')?.status
  return status === 'True' || status === 'False' ? status : 'Unknown'
}

/** False for a new node, whose kubelet has not posted a status yet. */
export function hasReadyCondition(node: Frozen<Node>): boolean {
  return conditionOf(node, 'Ready') !== undefined
}

/** The kubelet reported that the node is not ready, or this controller that the kubelet is lost. */
export function isReportedUnready(node: Frozen<Node>): boolean {
  return hasReadyCondition(node) && readinessOf(node) !== 'True'
}

/** This controller reported that the kubelet is lost. */
export function isReportedUnknown(node: Frozen<Node>): boolean {
  return hasReadyCondition(node) && readinessOf(node) === 'Unknown'
}

/** The heartbeat by the present node and lease. A node without any counts from its creation. */
export function heartbeatAfter(
  before: Heartbeat | undefined,
  node: Frozen<Node>,
  lease: Frozen<Lease> | undefined,
  { nowMs, monotonicMs }: Moment,
): Heartbeat {
  const ready = conditionOf(node, 'Ready')
  // A condition that this controller wrote is no sign of life.
  const isOwn = ready !== undefined && [neverUpdated.reason, stopped.reason].includes(ready.reason ?? '')
  const heartbeat = isOwn ? (before?.heartbeat ?? '') : (ready?.lastHeartbeatTime ?? '')
  const renewal = lease?.spec?.renewTime ?? ''
  if (before && heartbeat === before.heartbeat && renewal === before.renewal) return before
  const { creationTimestamp } = node.metadata
  const isNever = ready === undefined && renewal === '' && before === undefined
  const ageMs = isNever && typeof creationTimestamp === 'string' ? Math.max(0, nowMs - parseTime(creationTimestamp)) : 0
  return { heartbeat, renewal, seenMs: monotonicMs - ageMs }
}

export function isOverdue(
  node: Frozen<Node>,
  { seenMs }: Heartbeat,
  grace: GracePeriods,
  { monotonicMs }: Pick<Moment, 'monotonicMs'>,
): boolean {
  const ready = conditionOf(node, 'Ready')
  const isStarting = ready === undefined || ready.reason === neverUpdated.reason
  return monotonicMs > seenMs + (isStarting ? grace.nodeStartupGracePeriod : grace.nodeMonitorGracePeriod)
}

/** The conditions of a node whose kubelet is lost; undefined: they are that already. */
export function unknownConditions(node: Frozen<Node>, nowMs: number): Frozen<NodeCondition[]> | undefined {
  const conditions = [...(node.status.conditions ?? [])]
  let changed = false
  for (const type of conditionTypes) {
    const at = conditions.findIndex((condition) => condition.type === type)
    const before = conditions[at]
    if (before?.status === 'Unknown') continue
    changed = true
    const time = formatTime(nowMs)
    if (before) conditions[at] = { ...before, status: 'Unknown', ...stopped, lastTransitionTime: time }
    else {
      const born = node.metadata.creationTimestamp ?? time
      conditions.push({ type, status: 'Unknown', ...neverUpdated, lastHeartbeatTime: born, lastTransitionTime: time })
    }
  }
  return changed ? conditions : undefined
}
