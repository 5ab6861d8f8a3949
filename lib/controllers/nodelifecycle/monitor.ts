import type { Node } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import {
  type ControllerContext,
  type Informer,
  isConflict,
  isNotFound,
  joinKey,
  keyOf,
} from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { podsByNode } from '../shared/podsbynode.ts'
import { isReportedUnready, readinessOf } from './health.ts'
import { createZoneMetrics } from './metrics.ts'
import { markNotReady, recordNodeEvent, writeConditions, writeTaints } from './perform.ts'
import { type NodeState, planNode, planZones, stateOf } from './plan.ts'
import { TaintQueue } from './taintqueue.ts'
import { noExecuteKey, withNoExecute } from './taints.ts'
import { zoneOf } from './zones.ts'

const leaseNamespace = 'kube-node-lease'
const taintPassMs = 100
const concurrentNodes = 8

/** Checks the heartbeats of nodes, and acts on lost ones: by conditions, the readiness of pods, and NoExecute taints. */
export function startHealth(context: ControllerContext, nodes: Informer<Node>): void {
  const { clock, client, events, settings, log } = context
  const leases = context.informer(resources.coordination.v1.leases)
  const pods = context.informer(resources.core.v1.pods)
  const known = new Map<string, NodeState>()
  /** Nodes to be tainted, by zone. */
  const queues = new Map<string, TaintQueue>()
  const metrics = createZoneMetrics(context.metrics)
  let allZonesDown = false

  async function pass(signal: AbortSignal): Promise<void> {
    const startMs = clock.monotonicMs()
    const all = [...nodes.all()]
    forgetOthers(all)
    const left = all.values()
    const worker = async (): Promise<void> => {
      for (const node of left) if (!signal.aborted) await examine(node)
    }
    await Promise.all(Array.from({ length: concurrentNodes }, worker))
    if (signal.aborted) return
    updateZones()
    metrics.passed((clock.monotonicMs() - startMs) / 1000)
  }

  function forgetOthers(all: readonly Frozen<Node>[]): void {
    const names = new Set(all.map(({ metadata }) => metadata.name ?? ''))
    for (const [name, { readiness }] of known) {
      if (names.has(name)) continue
      known.delete(name)
      for (const queue of queues.values()) queue.delete(name)
      const deleted = { apiVersion: 'v1', kind: 'Node', metadata: { name } } as Frozen<Node>
      recordNodeEvent(deleted, 'RemovingNode', `event: Removing Node ${name} from Controller`, events)
      log.verbose(2, 'a node was deleted', { name, readiness })
    }
  }

  async function examine(node: Frozen<Node>): Promise<void> {
    const startMs = clock.monotonicMs()
    try {
      await update(node)
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error))
        log.warn('the health of a node could not be written', { node: node.metadata.name, error })
    }
    metrics.examined((clock.monotonicMs() - startMs) / 1000)
  }

  async function update(node: Frozen<Node>): Promise<void> {
    const { name = '' } = node.metadata
    const before = known.get(name)
    if (!before) recordNodeEvent(node, 'RegisteredNode', `event: Registered Node ${name} in Controller`, events)
    const seen = { node, lease: leases.get(joinKey(leaseNamespace, name)), before }
    const moment = { nowMs: clock.now(), monotonicMs: clock.monotonicMs() }
    const planned = planNode(seen, { ...moment, grace: settings, allZonesDown })
    const { state } = planned
    const { heartbeat } = state
    known.set(name, before ? { ...before, heartbeat } : stateOf(node, heartbeat))
    const written = await writeConditions(node, planned, context)
    known.set(name, state)
    if (state.marksPods) {
      for (const pod of pods.by(podsByNode, name)) await markNotReady(pod, context)
      known.set(name, { ...state, marksPods: false })
    }
    const queue = queueOf(zoneOf(node))
    if (planned.queue === 'add') queue.add(name)
    if (planned.queue === 'remove') queue.delete(name)
    if (planned.taints) await writeTaints(written, planned.taints, client)
  }

  function queueOf(zone: string): TaintQueue {
    let queue = queues.get(zone)
    if (!queue) queues.set(zone, (queue = new TaintQueue()))
    return queue
  }

  function updateZones(): void {
    const planned = planZones(nodes.all(), settings)
    for (const zone of queues.keys()) if (!planned.zones.has(zone)) queues.delete(zone)
    for (const [name, zone] of planned.zones) {
      metrics.zone(name, zone)
      const queue = queueOf(name)
      queue.setRate(zone.taintsPerSecond)
      if (planned.allZonesDown) queue.clear()
    }
    if (planned.allZonesDown === allZonesDown) return
    ;({ allZonesDown } = planned)
    log.warn(
      allZonesDown ? 'no node of any zone is ready: eviction is suspended' : 'nodes are ready again: eviction resumes',
    )
    // Heartbeats that were missed in between were missed by this process.
    const seenMs = clock.monotonicMs()
    if (!allZonesDown)
      for (const [name, state] of known) known.set(name, { ...state, heartbeat: { ...state.heartbeat, seenMs } })
  }

  async function taintNext(): Promise<void> {
    for (const [zone, queue] of queues) {
      const name = queue.take(clock.monotonicMs())
      const node = name === undefined ? undefined : nodes.get(name)
      const key = node && noExecuteKey(readinessOf(node))
      const taints = node && key !== undefined ? withNoExecute(node, key, clock.now()) : undefined
      if (!node || !taints) continue
      try {
        await writeTaints(node, taints, client)
        metrics.evicted(zone)
      } catch (error) {
        if (isNotFound(error)) continue
        queue.add(keyOf(node))
        if (!isConflict(error)) log.warn('a node could not be tainted', { node: name, error })
      }
    }
  }

  const newPods = context.reconcile({
    name: 'node_lifecycle_controller_pods',
    workers: 4,
    async turn(key) {
      const pod = pods.get(key)
      const node = pod && nodes.get(pod.spec.nodeName ?? '')
      if (pod && node && isReportedUnready(node) && known.has(keyOf(node))) await markNotReady(pod, context)
    },
  })
  pods.subscribe(({ object, before, deleted }) => {
    if (!deleted && object.spec.nodeName && before?.spec.nodeName !== object.spec.nodeName) newPods.add(keyOf(object))
  })
  context.every(settings.nodeMonitorPeriod, pass, { atOnce: true })
  context.every(taintPassMs, taintNext)
}
