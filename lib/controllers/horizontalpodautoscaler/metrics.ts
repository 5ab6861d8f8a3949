import type { Metrics } from '../../base/index.ts'

export type Action = 'scale_up' | 'scale_down' | 'none'

const buckets = [
  0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.024, 2.048, 4.096, 8.192, 16.384,
]

/** The outcome of one metric of an autoscaler; `type`: of its source. */
export interface Judgement {
  readonly type: string
  readonly action: Action
  readonly failed: boolean
  readonly seconds: number
}

interface AutoscalerMetrics {
  reconciled(action: Action, failed: boolean, seconds: number): void
  computed(judgement: Judgement): void
  desired(namespace: string, name: string, replicas: number): void
}

/** `size`: the number of autoscalers. */
export function createAutoscalerMetrics(metrics: Metrics, size: () => number): AutoscalerMetrics {
  const prefix = 'horizontal_pod_autoscaler_controller_'
  const labels = ['action', 'error']
  const reconciliations = metrics.counter({
    name: `${prefix}reconciliations_total`,
    help: 'Evaluations of autoscalers, by what was done.',
    labels,
    stability: 'ALPHA',
  })
  const durations = metrics.histogram({
    name: `${prefix}reconciliation_duration_seconds`,
    help: 'Duration of the evaluation of an autoscaler, in seconds.',
    labels,
    buckets,
    stability: 'ALPHA',
  })
  const ofMetric = { labels: [...labels, 'metric_type'], stability: 'ALPHA' } as const
  const computations = metrics.counter({
    ...ofMetric,
    name: `${prefix}metric_computation_total`,
    help: 'Evaluated metrics of autoscalers, by type.',
  })
  const computationDurations = metrics.histogram({
    ...ofMetric,
    name: `${prefix}metric_computation_duration_seconds`,
    help: 'Duration of the evaluation of a metric of an autoscaler, in seconds.',
    buckets,
  })
  const desired = metrics.gauge({
    name: `${prefix}desired_replicas`,
    help: 'Number of pods that an autoscaler wants.',
    labels: ['namespace', 'hpa_name'],
    stability: 'ALPHA',
  })
  metrics
    .gauge({
      name: `${prefix}num_horizontal_pod_autoscalers`,
      help: 'Number of autoscalers.',
      stability: 'ALPHA',
    })
    .collect(() => [{ labels: [], value: size() }])
  return {
    reconciled(action, failed, seconds) {
      const values = [action, failed ? 'internal' : 'none']
      reconciliations.add(values)
      durations.observe(values, seconds)
    },
    computed({ type, action, failed, seconds }) {
      const values = [action, failed ? 'internal' : 'none', type]
      computations.add(values)
      computationDurations.observe(values, seconds)
    },
    desired: (namespace, name, replicas) => desired.set([namespace, name], replicas),
  }
}

/** `change`: of the number of replicas. */
export function actionOf(change: number): Action {
  if (change === 0) return 'none'
  return change > 0 ? 'scale_up' : 'scale_down'
}
