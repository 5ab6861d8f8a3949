import type { Lease } from '../../../api/gen/coordination.k8s.io/v1.ts'
import type { Node, NodeCondition, Taint } from '../../../api/gen/core/v1.ts'
import type { Frozen } from '../../object/index.ts'
import {
  type GracePeriods,
  type Heartbeat,
  hasReadyCondition,
  heartbeatAfter,
  isOverdue,
  isReportedUnknown,
  type Moment,
  type Readiness,
  readinessOf,
  unknownConditions,
} from './health.ts'
import { hasNoExecute, labelsToMirror, noExecuteKey, withConditionTaints, withNoExecute } from './taints.ts'
import { areAllZonesDown, rateOf, type Zone, type ZoneSettings, zonesOf } from './zones.ts'

type SomeNode = Frozen<Node>

/** The merge patch that brings the labels and NoSchedule taints of a node up to date; undefined: they are. */
export function planUpkeep(node: SomeNode, nowMs: number): object | undefined {
  const labels = labelsToMirror(node)
  const taints = withConditionTaints(node, nowMs)
  if (!labels && !taints) return undefined
  return {
    metadata: { resourceVersion: node.metadata.resourceVersion, labels },
    spec: taints && { taints },
  }
}

/** The state of a node between passes. */
export interface NodeState {
  readonly heartbeat: Heartbeat
  readonly readiness: Readiness
  /** Its pods are still to be marked as not ready. */
  readonly marksPods: boolean
}

interface SeenNode {
  readonly node: SomeNode
  readonly lease: Frozen<Lease> | undefined
  /** Undefined: the node is new. */
  readonly before: NodeState | undefined
}

interface NodeOptions extends Moment {
  readonly grace: GracePeriods
  /** Then no node gets a NoExecute taint, and those that are there are taken away. */
  readonly allZonesDown: boolean
}

/** The effects of one pass on a node, in the order of the fields. */
export interface NodePlan {
  /** The status to write, of a node whose kubelet is overdue. */
  readonly conditions: Frozen<NodeCondition[]> | undefined
  /** The node turns from ready to unknown. */
  readonly isLost: boolean
  /** Counts once the conditions are written; its heartbeat in any case. */
  readonly state: NodeState
  /** The change of the queue of nodes to be tainted. */
  readonly queue: 'add' | 'remove' | 'keep'
  /** The taints to write at once. */
  readonly taints: readonly Frozen<Taint>[] | undefined
}

/** The initial state of a node. */
export function stateOf(node: SomeNode, heartbeat: Heartbeat): NodeState {
  return { heartbeat, readiness: readinessOf(node), marksPods: isReportedUnknown(node) }
}

export function planNode({ node, lease, before }: SeenNode, options: NodeOptions): NodePlan {
  const { grace, allZonesDown, nowMs } = options
  const heartbeat = heartbeatAfter(before?.heartbeat, node, lease, options)
  const conditions = isOverdue(node, heartbeat, grace, options) ? unknownConditions(node, nowMs) : undefined
  const after = conditions ? { ...node, status: { ...node.status, conditions } } : node
  const readiness = readinessOf(after)
  // A kubelet that reports its node as not ready reports its pods as well: they are marked for a lost one only.
  const isLost = readinessOf(node) === 'True' && readiness !== 'True'
  const marksPods = readiness !== 'True' && (isLost || (before ?? stateOf(node, heartbeat)).marksPods)
  const state = { heartbeat, readiness, marksPods }
  return { conditions, isLost, state, ...planTaint(after, readiness, allZonesDown, nowMs) }
}

/** A new taint waits for its turn in the zone. The exchange of one key for the other, and the removal, are immediate. */
function planTaint(
  node: SomeNode,
  readiness: Readiness,
  allZonesDown: boolean,
  nowMs: number,
): Pick<NodePlan, 'queue' | 'taints'> {
  if (!hasReadyCondition(node)) return { queue: 'keep', taints: undefined }
  const key = noExecuteKey(readiness)
  if (key !== undefined && !hasNoExecute(node)) return { queue: allZonesDown ? 'keep' : 'add', taints: undefined }
  return { queue: 'remove', taints: withNoExecute(node, allZonesDown ? undefined : key, nowMs) }
}

interface ZonesPlan {
  readonly zones: ReadonlyMap<string, Zone & { readonly taintsPerSecond: number }>
  readonly allZonesDown: boolean
}

/** With no node ready anywhere it is this process that has lost its connection: no node is tainted. */
export function planZones(nodes: Iterable<SomeNode>, settings: ZoneSettings): ZonesPlan {
  const zones = zonesOf(nodes, settings)
  const allZonesDown = areAllZonesDown(zones)
  const rated = [...zones].map(
    ([name, zone]) => [name, { ...zone, taintsPerSecond: allZonesDown ? 0 : rateOf(zone, settings) }] as const,
  )
  return { zones: new Map(rated), allZonesDown }
}
