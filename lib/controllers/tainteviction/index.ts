import type { Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { type ControllerContext, type ControllerDefinition, isNotFound, keyOf } from '../../controller/index.ts'
import { type ApiObject, deepEqual, formatTime, type Frozen } from '../../object/index.ts'
import { podsByNode } from '../workloads/bynode.ts'
import { executingTaints, verdictOf } from './plan.ts'

/** Deletes pods from nodes whose NoExecute taints they don't tolerate, or not for that long. */
export const tainteviction: ControllerDefinition = {
  name: 'taint-eviction-controller',
  account: 'node-controller',
  component: 'taint-eviction-controller',
  start(context) {
    const pods = context.informer(resources.core.v1.pods)
    const nodes = context.informer(resources.core.v1.nodes)
    /** When pods that tolerate their taints for a time have to go: counted from when this process saw the taints. */
    const dueMs = new Map<string, { readonly uid: string; readonly atMs: number }>()
    const metrics = createMetrics(context)

    const cancel = (key: string, pod: Frozen<Pod> | undefined): void => {
      if (!dueMs.delete(key) || !pod) return
      context.events.event(
        pod as Frozen<ApiObject>,
        'Normal',
        'TaintManagerEviction',
        `Cancelling deletion of Pod ${key}`,
      )
    }

    const queue = context.reconcile({
      name: 'noexec_taint_pod',
      workers: 8,
      async turn(key, { client }) {
        const pod = pods.get(key)
        const { uid = '', deletionTimestamp } = pod?.metadata ?? {}
        if (dueMs.get(key)?.uid !== uid) dueMs.delete(key)
        const taints = executingTaints(nodes.get(pod?.spec.nodeName ?? ''))
        if (!pod || deletionTimestamp !== undefined) dueMs.delete(key)
        else if (taints.length === 0) cancel(key, pod)
        else {
          const verdict = verdictOf(pod, taints)
          if (verdict === 'stay') cancel(key, pod)
          else {
            const nowMs = context.clock.now()
            // A time that runs is not shortened by a later taint, as in the stock controller.
            const due = verdict === 'evict' ? { uid, atMs: nowMs } : (dueMs.get(key) ?? { uid, atMs: nowMs + verdict })
            dueMs.set(key, due)
            if (due.atMs > nowMs) return { againAfterMs: due.atMs - nowMs }
            await evict(context, client, pod)
            dueMs.delete(key)
            metrics.evicted((nowMs - due.atMs) / 1000)
          }
        }
        return {}
      },
    })
    pods.subscribe(({ object, before, deleted }) => {
      const isSame =
        before !== undefined &&
        before.spec.nodeName === object.spec.nodeName &&
        deepEqual(before.spec.tolerations, object.spec.tolerations)
      if (deleted || !isSame) queue.add(keyOf(object))
    })
    nodes.subscribe(({ object, before, deleted }) => {
      if (!deleted && before && deepEqual(executingTaints(before), executingTaints(object))) return
      if (!before && executingTaints(object).length === 0) return
      for (const pod of pods.by(podsByNode, object.metadata.name ?? '')) queue.add(keyOf(pod))
    })
  },
}

async function evict({ clock, events }: ControllerContext, client: Client, pod: Frozen<Pod>): Promise<void> {
  const message = `Marking for deletion Pod ${keyOf(pod)}`
  events.event(pod as Frozen<ApiObject>, 'Normal', 'TaintManagerEviction', message)
  const { uid } = pod.metadata
  const all = client.resource(resources.core.v1.pods)
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'DeletionByTaintManager',
    message: 'Taint manager: deleting due to NoExecute taint',
    lastTransitionTime: formatTime(clock.now()),
  }
  try {
    await all.patchStatus(pod.metadata, 'strategic', { metadata: { uid }, status: { conditions: [condition] } })
    await all.delete(pod.metadata, { uid })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

function createMetrics({ metrics }: ControllerContext): { evicted(lateSeconds: number): void } {
  const deletions = metrics.counter({
    name: 'taint_eviction_controller_pod_deletions_total',
    help: 'Pods deleted since the start, for taints that they do not tolerate.',
    stability: 'ALPHA',
  })
  const latency = metrics.histogram({
    name: 'taint_eviction_controller_pod_deletion_duration_seconds',
    help: 'Time between the moment at which a pod has to go and its deletion, in seconds.',
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 30, 60, 120, 180, 240],
    stability: 'ALPHA',
  })
  return {
    evicted(lateSeconds) {
      deletions.add([])
      latency.observe([], lateSeconds)
    },
  }
}
