import type * as v2 from '../../../../api/gen/autoscaling/v2.ts'
import type { ApiObject } from '../../../object/index.ts'

export function defaultV1(object: ApiObject): void {
  const spec = object['spec'] as { minReplicas?: number }
  spec.minReplicas ??= 1
}

/**
 * By default scaling up is immediate, and as fast as any policy allows; scaling down waits for the controller's
 * configured time.
 */
export function defaultV2(object: ApiObject): void {
  const spec = object['spec'] as v2.HorizontalPodAutoscalerSpec
  spec.minReplicas ??= 1
  if (!spec.metrics?.length) spec.metrics = [defaultMetric()]
  const { behavior } = spec
  if (!behavior) return
  behavior.scaleUp = {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
    ...behavior.scaleUp,
  }
  behavior.scaleDown = {
    selectPolicy: 'Max',
    policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
    ...behavior.scaleDown,
  }
}

/** The default metric. */
export function defaultMetric(): v2.MetricSpec {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }
}
