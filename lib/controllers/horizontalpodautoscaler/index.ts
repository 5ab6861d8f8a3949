import type { HorizontalPodAutoscaler } from '../../../api/gen/autoscaling/v2.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import {
  type ControllerContext,
  type ControllerDefinition,
  createKindMapper,
  isConflict,
  isNotFound,
  keyOf,
  namespaceOf,
} from '../../controller/index.ts'
import { deepEqual, type Frozen, type LabelSelector } from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'
import { Autoscaling, type Status } from './autoscaling.ts'
import { createAutoscalerMetrics } from './metrics.ts'
import { createMetricsApi } from './metricsapi.ts'
import { noPast, type Past } from './normalize.ts'

const { horizontalpodautoscalers } = resources.autoscaling.v2
type SomeAutoscaler = Frozen<HorizontalPodAutoscaler>

/** Sets how many pods a workload wants by what its pods are loaded with. */
export const horizontalpodautoscaler: ControllerDefinition = {
  name: 'horizontal-pod-autoscaler-controller',
  aliases: ['horizontalpodautoscaling'],
  account: 'horizontal-pod-autoscaler',
  start(context) {
    const autoscalers = context.informer(horizontalpodautoscalers)
    const pods = context.informer(resources.core.v1.pods)
    const periodMs = context.settings.horizontalPodAutoscalerSyncPeriod
    const pasts = new Map<string, Past>()
    const selectors = new Map<string, LabelSelector>()
    const metrics = createAutoscalerMetrics(context.metrics, () => autoscalers.size)
    const kinds = createKindMapper(context.client, context.clock)
    const queue = context.reconcile({
      name: 'horizontalpodautoscaler',
      workers: context.settings.concurrentHorizontalPodAutoscalerSyncs,
      async turn(key, { client }) {
        const autoscaler = autoscalers.get(key)
        if (!autoscaler) {
          pasts.delete(key)
          selectors.delete(key)
          return {}
        }
        const startedMs = context.clock.monotonicMs()
        const api = createMetricsApi(client, kinds)
        const parts = { context, client, kinds, api, pods, selectors, metrics, past: pasts.get(key) ?? noPast }
        const { status, past, action, failed } = await new Autoscaling(parts, autoscaler).run()
        pasts.set(key, past)
        metrics.reconciled(action, failed, (context.clock.monotonicMs() - startedMs) / 1000)
        metrics.desired(namespaceOf(autoscaler), autoscaler.metadata.name ?? '', status.desiredReplicas)
        await writeStatus(context, client, autoscaler, status)
        // Every autoscaler is looked at once a period, whatever became of it.
        return { againAfterMs: periodMs }
      },
    })
    autoscalers.subscribe(({ object, before, deleted }) => {
      if (deleted) queue.add(keyOf(object))
      else if (!before || !deepEqual(before.spec, object.spec)) queue.addAfter(keyOf(object), periodMs)
    })
  },
}

async function writeStatus(
  { events }: ControllerContext,
  client: Client,
  autoscaler: SomeAutoscaler,
  status: Status,
): Promise<void> {
  if (deepEqual(autoscaler.status, status)) return
  try {
    await client.resource(horizontalpodautoscalers).updateStatus({ ...autoscaler, status })
  } catch (error) {
    if (isNotFound(error)) return
    if (!isConflict(error)) events.event(autoscaler, 'Warning', 'FailedUpdateStatus', messageOf(error))
    throw error
  }
}
