import type { Lease } from '../../../api/gen/coordination.k8s.io/v1.ts'
import type { Node } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type Client, createClient } from '../../client/index.ts'
import {
  type ControllerContext,
  type Informer,
  isAlreadyExists,
  isConflict,
  isNotFound,
} from '../../controller/index.ts'
import { type Frozen, formatMicroTime } from '../../object/index.ts'
import { laidOver } from '../stages/overlay.ts'
import { lostAnnotation, type NodeSettings, nodeConditions, nodeObject, nodeStatus } from './object.ts'

/** One node of this process. */
export interface Agent {
  readonly name: string
  readonly index: number
  /** Where its kubelet listens. */
  readonly port: number
  /** Sends requests as the node. */
  readonly client: Client
  lease: Frozen<Lease> | undefined
  isRegistered: boolean
  /** Fields that stages lay over its status. */
  overlay: Readonly<Record<string, unknown>> | undefined
}

const leaseNamespace = 'kube-node-lease'
const leaseSeconds = 40
/** Leases are renewed in portions, one at a time, so that no moment has them all. */
const portionMs = 1000
/** Each portion renews so many leases at once: more would only wait for each other, in the server's queues. */
const renewalsMax = 4
/** Up to so many nodes renew their leases as kubelets do. */
const promptNodes = 200
/** A node's whole status is written this often, though nothing has changed. */
const statusMs = 5 * 60_000
/** Concurrent registrations. */
const registrationsMax = 16

interface Dependencies {
  readonly context: ControllerContext
  readonly nodes: Informer<Node>
  readonly settings: NodeSettings
}

export function createAgent(
  name: string,
  index: number,
  port: number,
  connect: () => Parameters<typeof createClient>[0],
): Agent {
  return {
    name,
    index,
    port,
    client: createClient(connect()),
    lease: undefined,
    isRegistered: false,
    overlay: undefined,
  }
}

/** Registers all nodes that are not, several at a time. */
export async function registerAll(agents: readonly Agent[], dependencies: Dependencies): Promise<void> {
  const { signal } = dependencies.context
  const waiting = [...agents]
  const work = async (): Promise<void> => {
    for (let agent = waiting.shift(); agent && !signal.aborted; agent = waiting.shift())
      await register(agent, dependencies)
  }
  await Promise.all(Array.from({ length: registrationsMax }, work))
}

/**
 * A lease is renewed after a quarter of its time by a kubelet, and after half of it where there are many nodes: renewals
 * are all that idle nodes cost, and no network lies between these nodes and their server.
 */
function renewalMs(nodes: number): number {
  return (leaseSeconds * 1000) / (nodes > promptNodes ? 2 : 4)
}

/** Goes on reporting that the nodes are there. */
export function runAgents(agents: readonly Agent[], dependencies: Dependencies): void {
  const { context } = dependencies
  const portions = renewalMs(agents.length) / portionMs
  let portion = 0
  context.every(portionMs, async () => {
    portion = (portion + 1) % portions
    const due = agents.filter(({ index }) => index % portions === portion)
    const renewNext = async (): Promise<void> => {
      for (let agent = due.pop(); agent; agent = due.pop()) await renewOrLog(agent, dependencies)
    }
    await Promise.all(Array.from({ length: renewalsMax }, renewNext))
  })
  context.every(statusMs, async (signal) => {
    for (const agent of agents)
      if (!signal.aborted && !isLost(agent, dependencies)) await heartbeat(agent, dependencies).catch(() => {})
  })
}

/** Its machine seems to be lost: an annotation of the node says so. */
export function isLost({ name }: Agent, { nodes }: Pick<Dependencies, 'nodes'>): boolean {
  return nodes.get(name)?.metadata.annotations?.[lostAnnotation] === 'true'
}

async function register(agent: Agent, dependencies: Dependencies): Promise<void> {
  const { context, settings } = dependencies
  const { name, index, port, client } = agent
  const nodes = client.resource(resources.core.v1.nodes)
  const nowMs = context.clock.now()
  agent.lease = undefined
  try {
    const node = nodeObject(name, index, port, settings, nowMs)
    const created = await nodes.create(node).catch(async (error: unknown) => {
      if (!isAlreadyExists(error)) throw error
      return await nodes.patchStatus({ name }, 'strategic', { status: nodeStatus(name, port, settings, nowMs) })
    })
    await renew(agent, created, dependencies)
    await removeNotReadyTaint(created, context)
    agent.isRegistered = true
  } catch (error) {
    // The next renewal of the lease tries again.
    context.log.warn('a node was not registered', { node: name, error })
  }
}

/** Admission taints every new node; the nodes' controller, where it runs, would do this later. */
async function removeNotReadyTaint({ metadata, spec }: Frozen<Node>, { client }: ControllerContext): Promise<void> {
  const key = 'node.kubernetes.io/not-ready'
  if (!spec.taints?.some((taint) => taint.key === key)) return
  const taints = spec.taints.filter((taint) => taint.key !== key)
  const { name, resourceVersion } = metadata
  await client
    .resource(resources.core.v1.nodes)
    .patch({ name }, 'merge', { metadata: { resourceVersion }, spec: { taints: taints.length === 0 ? null : taints } })
    .catch((error: unknown) => {
      if (!isConflict(error) && !isNotFound(error)) throw error
    })
}

async function renewOrLog(agent: Agent, dependencies: Dependencies): Promise<void> {
  if (isLost(agent, dependencies)) return
  const { context, nodes } = dependencies
  try {
    if (!agent.isRegistered) return await register(agent, dependencies)
    const node = nodes.get(agent.name)
    if (node) await renew(agent, node, dependencies)
  } catch (error) {
    agent.lease = undefined
    if (!context.signal.aborted) context.log.verbose(2, 'a lease was not renewed', { node: agent.name, error })
  }
}

async function renew(agent: Agent, node: Frozen<Node>, { context }: Dependencies): Promise<void> {
  const leases = agent.client.resource(resources.coordination.v1.leases)
  const { name } = agent
  const spec = {
    holderIdentity: name,
    leaseDurationSeconds: leaseSeconds,
    renewTime: formatMicroTime(context.clock.now()),
  }
  if (agent.lease === undefined)
    agent.lease = await leases.get({ namespace: leaseNamespace, name }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined
      throw error
    })
  if (agent.lease !== undefined) {
    agent.lease = await leases.update({ ...agent.lease, spec: { ...agent.lease.spec, ...spec } })
    return
  }
  const { uid = '' } = node.metadata
  agent.lease = await leases.create({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace: leaseNamespace, name, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }] },
    spec,
  })
}

async function heartbeat({ name, client, overlay = {} }: Agent, { context, nodes }: Dependencies): Promise<void> {
  const ready = nodes.get(name)?.status.conditions?.find(({ type }) => type === 'Ready')
  const nowMs = context.clock.now()
  const since = ready?.status === 'True' ? ready.lastTransitionTime : undefined
  const conditions = nodeConditions(nowMs).map((each) => ({
    ...each,
    lastTransitionTime: since ?? each.lastTransitionTime,
  }))
  await client
    .resource(resources.core.v1.nodes)
    .patchStatus({ name }, 'strategic', { status: laidOver({ conditions }, overlay) })
}
