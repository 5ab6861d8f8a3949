import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, createKindMapper, keyOf, namespaceOf } from '../../controller/index.ts'
import { deepEqual, type LabelSelector } from '../../object/index.ts'
import { createAutoscalerMetrics } from './metrics.ts'
import { createMetricsApi } from './metricsapi.ts'
import { noHistory, type ScalingHistory } from './normalize.ts'
import { observe } from './observe.ts'
import { perform, writeStatus } from './perform.ts'
import { plan } from './plan.ts'

/** Sets the number of a workload's pods by their metrics. */
export const horizontalpodautoscaler: ControllerDefinition = {
  name: 'horizontal-pod-autoscaler-controller',
  aliases: ['horizontalpodautoscaling'],
  account: 'horizontal-pod-autoscaler',
  start(context) {
    const { clock, events, settings } = context
    const autoscalers = context.informer(resources.autoscaling.v2.horizontalpodautoscalers)
    const pods = context.informer(resources.core.v1.pods)
    const periodMs = settings.horizontalPodAutoscalerSyncPeriod
    const histories = new Map<string, ScalingHistory>()
    const selectors = new Map<string, LabelSelector>()
    const metrics = createAutoscalerMetrics(context.metrics, () => autoscalers.size)
    const kinds = createKindMapper(context.client, clock)
    const options = {
      tolerance: settings.horizontalPodAutoscalerTolerance,
      delays: {
        cpuInitializationMs: settings.horizontalPodAutoscalerCpuInitializationPeriod,
        initialReadinessMs: settings.horizontalPodAutoscalerInitialReadinessDelay,
      },
      downscaleStabilizationMs: settings.horizontalPodAutoscalerDownscaleStabilization,
    }
    const queue = context.reconcile({
      name: 'horizontalpodautoscaler',
      workers: settings.concurrentHorizontalPodAutoscalerSyncs,
      async turn(key, { client }) {
        const autoscaler = autoscalers.get(key)
        if (!autoscaler) {
          histories.delete(key)
          selectors.delete(key)
          return {}
        }
        const startMs = clock.monotonicMs()
        const api = createMetricsApi(client, kinds)
        const seen = await observe({ client, kinds, api, pods, clock, selectors }, autoscaler)
        const time = { nowMs: clock.now(), monotonicMs: clock.monotonicMs() }
        const planned = plan(seen, histories.get(key) ?? noHistory, { ...options, ...time })
        for (const judgement of planned.judgements) metrics.computed(judgement)
        const { status, history, action, failed } = await perform(autoscaler, planned, { client, events, clock })
        histories.set(key, history)
        metrics.reconciled(action, failed, (clock.monotonicMs() - startMs) / 1000)
        metrics.desired(namespaceOf(autoscaler), autoscaler.metadata.name ?? '', status.desiredReplicas)
        await writeStatus(autoscaler, status, { client, events, clock })
        // Every autoscaler is evaluated once a period, whatever the outcome.
        return { againAfterMs: periodMs }
      },
    })
    autoscalers.subscribe(({ object, before, deleted }) => {
      if (deleted) queue.add(keyOf(object))
      else if (!before || !deepEqual(before.spec, object.spec)) queue.addAfter(keyOf(object), periodMs)
    })
  },
}
