import type { Node, Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import {
  type ControllerContext,
  type Informer,
  isConflict,
  isNotFound,
  joinKey,
  keyOf,
} from '../../controller/index.ts'
import { type Frozen, formatTime } from '../../object/index.ts'
import { podsByNode } from '../shared/podsbynode.ts'
import { isReady } from '../shared/podstate.ts'
import {
  hasSaid,
  isKnownUnready,
  isOverdue,
  isSilent,
  type Probe,
  probed,
  type Readiness,
  readinessOf,
  unknownConditions,
} from './health.ts'
import { createZoneMetrics } from './metrics.ts'
import { executingKey, hasExecuting, withExecuting } from './taints.ts'
import { WaitingNodes } from './waitingnodes.ts'
import { isTotal, rateOf, type Zone, zoneOf, zonesOf } from './zones.ts'

const { nodes: nodesType, pods: podsType } = resources.core.v1
const leaseNamespace = 'kube-node-lease'
const taintPassMs = 100
const nodesAtOnce = 8

interface Known {
  probe: Probe
  readiness: Readiness
  /** Pods that still have to be marked as not ready. */
  podsToMark: boolean
}

/** Watches that nodes live, and acts on those that don't: the conditions, the pods, and the NoExecute taints. */
export function startHealth(context: ControllerContext, nodes: Informer<Node>): void {
  const { clock, client, events, settings, log } = context
  const leases = context.informer(resources.coordination.v1.leases)
  const pods = context.informer(podsType)
  const known = new Map<string, Known>()
  const waiting = new Map<string, WaitingNodes>()
  const metrics = createZoneMetrics(context.metrics)
  let zones: ReadonlyMap<string, Zone> = new Map()
  let total = false

  const say = (node: Frozen<Node>, reason: string, message: string): void =>
    events.event(node, 'Normal', reason, `Node ${node.metadata.name} ${message}`)

  async function pass(signal: AbortSignal): Promise<void> {
    const started = clock.monotonicMs()
    const all = Array.from(nodes.all())
    followMembers(all)
    const looks = all.values()
    const look = async (): Promise<void> => {
      for (const node of looks) {
        if (signal.aborted) return
        const startMs = clock.monotonicMs()
        await examine(node).catch((error: unknown) => {
          if (!isConflict(error) && !isNotFound(error))
            log.warn('the health of a node could not be written', { node: node.metadata.name, error })
        })
        metrics.examined((clock.monotonicMs() - startMs) / 1000)
      }
    }
    await Promise.all(Array.from({ length: nodesAtOnce }, look))
    followZones()
    metrics.passed((clock.monotonicMs() - started) / 1000)
  }

  function followMembers(all: readonly Frozen<Node>[]): void {
    const names = new Set(all.map(({ metadata }) => metadata.name ?? ''))
    for (const [name, { readiness }] of known) {
      if (names.has(name)) continue
      known.delete(name)
      for (const queue of waiting.values()) queue.delete(name)
      const gone = { apiVersion: 'v1', kind: 'Node', metadata: { name } } as Frozen<Node>
      say(gone, 'RemovingNode', `event: Removing Node ${name} from Controller`)
      log.verbose(2, 'a node has gone', { name, readiness })
    }
  }

  async function examine(shown: Frozen<Node>): Promise<void> {
    const at = { nowMs: clock.now(), monotonicMs: clock.monotonicMs() }
    const { name = '' } = shown.metadata
    const before = known.get(name)
    if (!before) say(shown, 'RegisteredNode', `event: Registered Node ${name} in Controller`)
    const probe = probed(before?.probe, shown, leases.get(joinKey(leaseNamespace, name)), at)
    const state: Known = before ?? { probe, readiness: readinessOf(shown), podsToMark: isSilent(shown) }
    state.probe = probe
    known.set(name, state)
    let node = shown
    if (isOverdue(shown, probe, settings, at)) {
      const conditions = unknownConditions(shown, at.nowMs)
      if (conditions)
        node = await client.resource(nodesType).updateStatus({ ...shown, status: { ...shown.status, conditions } })
    }
    const readiness = readinessOf(node)
    // A kubelet that says itself that its node is not ready also tells which of its pods are.
    if (readinessOf(shown) === 'True' && readiness !== 'True') {
      say(node, 'NodeNotReady', 'status is now: NodeNotReady')
      state.podsToMark = true
    }
    state.readiness = readiness
    if (readiness === 'True') state.podsToMark = false
    if (state.podsToMark) {
      await markPods(node)
      state.podsToMark = false
    }
    if (hasSaid(node)) await arrangeTaint(node, readiness)
  }

  /** A swap of one key for the other and the end of a taint are done at once; a new one waits for its zone's turn. */
  async function arrangeTaint(node: Frozen<Node>, readiness: Readiness): Promise<void> {
    const { name = '' } = node.metadata
    const key = executingKey(readiness)
    const queue = queueOf(zoneOf(node))
    if (key !== undefined && !hasExecuting(node)) {
      if (!total) queue.add(name)
      return
    }
    queue.delete(name)
    await writeTaints(node, total ? undefined : key)
  }

  async function writeTaints(node: Frozen<Node>, key: string | undefined): Promise<boolean> {
    const taints = withExecuting(node, key, clock.now())
    if (!taints) return false
    const { name = '', resourceVersion } = node.metadata
    await client.resource(nodesType).patch({ name }, 'merge', { metadata: { resourceVersion }, spec: { taints } })
    return true
  }

  function queueOf(zone: string): WaitingNodes {
    let queue = waiting.get(zone)
    if (!queue) waiting.set(zone, (queue = new WaitingNodes()))
    return queue
  }

  function followZones(): void {
    zones = zonesOf(nodes.all(), settings)
    for (const zone of waiting.keys()) if (!zones.has(zone)) waiting.delete(zone)
    const wasTotal = total
    total = isTotal(zones)
    for (const [zone, found] of zones) {
      metrics.zone(zone, found)
      const queue = queueOf(zone)
      queue.setRate(total ? 0 : rateOf(found, settings))
      if (total) queue.clear()
    }
    if (total === wasTotal) return
    log.warn(total ? 'no node of any zone is ready: nothing is evicted' : 'nodes are ready again: eviction goes on')
    // While nothing was seen nothing could be judged.
    if (!total) for (const state of known.values()) state.probe = { ...state.probe, seenMs: clock.monotonicMs() }
  }

  async function taintNext(): Promise<void> {
    for (const [zone, queue] of waiting) {
      const name = queue.take(clock.monotonicMs())
      const node = name === undefined ? undefined : nodes.get(name)
      const key = node && executingKey(readinessOf(node))
      if (!node || key === undefined) continue
      try {
        if (await writeTaints(node, key)) metrics.evicted(zone)
      } catch (error) {
        if (isNotFound(error)) continue
        queue.add(name ?? '')
        if (!isConflict(error)) log.warn('a node could not be tainted', { node: name, error })
      }
    }
  }

  async function markPods(node: Frozen<Node>): Promise<void> {
    for (const pod of pods.by(podsByNode, node.metadata.name ?? '')) await markPod(pod)
  }

  async function markPod(pod: Frozen<Pod>): Promise<void> {
    if (!isReady(pod)) return
    const conditions = (pod.status.conditions ?? []).map((condition) =>
      condition.type === 'Ready'
        ? { ...condition, status: 'False', lastTransitionTime: formatTime(clock.now()) }
        : condition,
    )
    try {
      await client.resource(podsType).updateStatus({ ...pod, status: { ...pod.status, conditions } })
      events.event(pod, 'Warning', 'NodeNotReady', 'Node is not ready')
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  const marks = context.reconcile({
    name: 'node_lifecycle_controller_pods',
    workers: 4,
    async turn(key) {
      const pod = pods.get(key)
      const node = pod && nodes.get(pod.spec.nodeName ?? '')
      if (pod && node && isKnownUnready(node) && known.has(node.metadata.name ?? '')) await markPod(pod)
    },
  })
  pods.subscribe(({ object, before, deleted }) => {
    if (!deleted && object.spec.nodeName && before?.spec.nodeName !== object.spec.nodeName) marks.add(keyOf(object))
  })
  context.every(settings.nodeMonitorPeriod, pass, { atOnce: true })
  context.every(taintPassMs, taintNext)
}
