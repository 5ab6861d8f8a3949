import type { Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, keyOf } from '../../controller/index.ts'
import { deepEqual, type Frozen } from '../../object/index.ts'
import { podsByNode } from '../shared/podsbynode.ts'
import { createTaintEviction } from '../shared/tainteviction.ts'
import { executingTaints, verdictOf } from './plan.ts'

/** Evicts pods from nodes whose NoExecute taints they don't tolerate, or no longer tolerate. */
export const tainteviction: ControllerDefinition = {
  name: 'taint-eviction-controller',
  account: 'node-controller',
  component: 'taint-eviction-controller',
  start(context) {
    const pods = context.informer(resources.core.v1.pods)
    const nodes = context.informer(resources.core.v1.nodes)
    /** When pods that tolerate their taints for a time are evicted, counted from when this process saw the taints. */
    const dueMs = new Map<string, { readonly uid: string; readonly atMs: number }>()
    const eviction = createTaintEviction(context, {
      event: 'TaintManagerEviction',
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
      metrics: 'taint_eviction_controller',
      marking: (pod) => `Marking for deletion Pod ${keyOf(pod)}`,
      cancelling: (pod) => `Cancelling deletion of Pod ${keyOf(pod)}`,
    })

    const cancel = (key: string, pod: Frozen<Pod> | undefined): void => {
      if (dueMs.delete(key) && pod) eviction.cancelled(pod)
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
            // A later taint does not shorten a running time, as in the stock controller.
            const due = verdict === 'evict' ? { uid, atMs: nowMs } : (dueMs.get(key) ?? { uid, atMs: nowMs + verdict })
            dueMs.set(key, due)
            if (due.atMs > nowMs) return { againAfterMs: due.atMs - nowMs }
            await eviction.evict(client, pod, (nowMs - due.atMs) / 1000)
            dueMs.delete(key)
          }
        }
        return {}
      },
    })
    pods.subscribe(({ object, before, deleted }) => {
      const key = keyOf(object)
      const { nodeName = '' } = object.spec
      // Almost every pod ends here: reading its tolerations would decode it, and a new taint comes with an event of
      // the node.
      if (!dueMs.has(key) && executingTaints(nodes.get(nodeName)).length === 0) return
      const isSame =
        before !== undefined &&
        before.spec.nodeName === object.spec.nodeName &&
        deepEqual(before.spec.tolerations, object.spec.tolerations)
      if (deleted || !isSame) queue.add(key)
    })
    nodes.subscribe(({ object, before, deleted }) => {
      if (!deleted && before && deepEqual(executingTaints(before), executingTaints(object))) return
      if (!before && executingTaints(object).length === 0) return
      for (const pod of pods.by(podsByNode, object.metadata.name ?? '')) queue.add(keyOf(pod))
    })
  },
}
