import type { Node, Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import {
  type ControllerContext,
  type ControllerDefinition,
  type Informer,
  isNotFound,
  type Lister,
} from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { end } from './perform.ts'
import { type Doomed, plan } from './plan.ts'

const periodMs = 20_000
/** How long a node must be missing before its pods count as orphaned. */
const quarantineMs = 40_000

/** Deletes pods that no kubelet will terminate, and the oldest finished pods where there are too many. */
export const podgc: ControllerDefinition = {
  name: 'pod-garbage-collector-controller',
  aliases: ['podgc'],
  account: 'pod-garbage-collector',
  start(context) {
    const { pods, nodes } = resources.core.v1
    const known = context.informer(pods)
    const machines = context.informer(nodes)
    const missingSinceMs = new Map<string, number>()
    const labels = ['namespace', 'reason'] as const
    const deleted = context.metrics.counter({
      name: 'pod_gc_collector_force_delete_pods_total',
      help: 'Pods deleted by force since the start',
      labels,
      stability: 'ALPHA',
    })
    const failed = context.metrics.counter({
      name: 'pod_gc_collector_force_delete_pod_errors_total',
      help: 'Failed attempts to delete pods by force since the start',
      labels,
      stability: 'ALPHA',
    })

    async function pass(): Promise<void> {
      const { doomed, nodesMissing } = plan(known, machines, context.settings.terminatedPodGcThreshold)
      await endAll(doomed)
      const gone = await nodesGone(context, machines, missingSinceMs, nodesMissing)
      await endAll(orphaned(known, gone, doomed))
    }

    async function endAll(doomed: readonly Doomed[]): Promise<void> {
      for (const each of doomed) {
        if (context.signal.aborted) return
        const at = [each.pod.metadata.namespace ?? '', each.reason] as const
        try {
          await end(context.client, each, context.clock.now())
          deleted.at(at).add(1)
        } catch (error) {
          failed.at(at).add(1)
          context.log.warn('a pod could not be deleted', { pod: each.pod.metadata.name, error })
        }
      }
    }
    context.every(periodMs, pass)
  },
}

/** The pods of missing nodes, without those that are deleted for another reason. */
function orphaned(pods: Lister<Pod>, nodesGone: ReadonlySet<string>, doomed: readonly Doomed[]): readonly Doomed[] {
  if (nodesGone.size === 0) return []
  const planned = new Set(doomed.map(({ pod }) => pod))
  const isOrphaned = (pod: Frozen<Pod>): boolean => nodesGone.has(pod.spec.nodeName ?? '') && !planned.has(pod)
  return Array.from(pods.all())
    .filter(isOrphaned)
    .map((pod) => ({ pod, reason: 'orphaned' }))
}

/** Nodes that have been missing long enough, and that the server does not have either. */
async function nodesGone(
  { client, clock, log, signal }: ControllerContext,
  machines: Informer<Node>,
  sinceMs: Map<string, number>,
  missing: readonly string[],
): Promise<ReadonlySet<string>> {
  const nowMs = clock.monotonicMs()
  const named = new Set(missing)
  for (const name of sinceMs.keys()) if (!named.has(name)) sinceMs.delete(name)
  const gone = new Set<string>()
  for (const name of missing) {
    const since = sinceMs.get(name)
    if (since === undefined) sinceMs.set(name, nowMs)
    else if (nowMs - since < quarantineMs || machines.get(name) !== undefined) continue
    else if (signal.aborted) break
    else if (await isGone(name)) gone.add(name)
  }
  return gone

  async function isGone(name: string): Promise<boolean> {
    try {
      const live: Frozen<Node> = await client.resource(resources.core.v1.nodes).get({ name })
      return live.metadata.name !== name
    } catch (error) {
      if (isNotFound(error)) return true
      // The node may exist: its pods stay until the next pass, and the pods of other nodes don't wait for it.
      log.warn('a node could not be read', { node: name, error })
      return false
    }
  }
}
