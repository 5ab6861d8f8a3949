import type { Node, Pod, Taint } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Clock } from '../../base/index.ts'
import type { Client } from '../../client/index.ts'
import { type EventRecorder, isNotFound } from '../../controller/index.ts'
import { type Frozen, formatTime } from '../../object/index.ts'
import { isReady } from '../shared/podstate.ts'
import type { NodePlan } from './plan.ts'

const { nodes, pods } = resources.core.v1

interface Dependencies {
  readonly client: Client
  readonly events: EventRecorder
  readonly clock: Clock
}

/** Answers the node as it is then. */
export async function writeConditions(
  node: Frozen<Node>,
  { conditions, isLost }: NodePlan,
  { client, events }: Dependencies,
): Promise<Frozen<Node>> {
  if (!conditions) return node
  const written = await client.resource(nodes).updateStatus({ ...node, status: { ...node.status, conditions } })
  if (isLost) recordNodeEvent(written, 'NodeNotReady', 'status is now: NodeNotReady', events)
  return written
}

export async function writeTaints(
  { metadata: { name, resourceVersion } }: Frozen<Node>,
  taints: readonly Frozen<Taint>[],
  client: Client,
): Promise<void> {
  await client.resource(nodes).patch({ name }, 'merge', { metadata: { resourceVersion }, spec: { taints } })
}

/** Takes the pod out of the endpoints of its services. */
export async function markNotReady(pod: Frozen<Pod>, { client, events, clock }: Dependencies): Promise<void> {
  if (!isReady(pod)) return
  const lastTransitionTime = formatTime(clock.now())
  const conditions = (pod.status.conditions ?? []).map((condition) =>
    condition.type === 'Ready' ? { ...condition, status: 'False', lastTransitionTime } : condition,
  )
  try {
    await client.resource(pods).updateStatus({ ...pod, status: { ...pod.status, conditions } })
    events.event(pod, 'Warning', 'NodeNotReady', 'Node is not ready')
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

export function recordNodeEvent(node: Frozen<Node>, reason: string, message: string, events: EventRecorder): void {
  events.event(node, 'Normal', reason, `Node ${node.metadata.name} ${message}`)
}
