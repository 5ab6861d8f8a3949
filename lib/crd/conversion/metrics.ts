import type { Metrics } from '../../base/index.ts'

/** The step of a call that failed, as a metric's label. */
export type ConversionFailure =
  | 'conversion_webhook_call_failure'
  | 'conversion_webhook_malformed_response_failure'
  | 'conversion_webhook_partial_response_failure'
  | 'conversion_webhook_invalid_converted_object_failure'

export interface ConversionCall {
  /** The definition's name. */
  readonly definition: string
  readonly from: string
  readonly to: string
  readonly seconds: number
  /** Absent: the call succeeded. */
  readonly failure: ConversionFailure | undefined
}

export interface ConversionMetrics {
  called(call: ConversionCall): void
}

export function createConversionMetrics(metrics: Metrics): ConversionMetrics {
  const labels = ['failure_type', 'result']
  const requests = metrics.counter({
    name: 'apiserver_conversion_webhook_request_total',
    help: 'Calls of conversion webhooks, by result and by the step that failed.',
    labels,
  })
  const durations = metrics.histogram({
    name: 'apiserver_conversion_webhook_duration_seconds',
    help: 'Time that calls of conversion webhooks took, by result and by the step that failed.',
    labels,
    buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60],
  })
  const byDefinition = metrics.histogram({
    name: 'apiserver_crd_conversion_webhook_duration_seconds',
    help: 'Time that calls of conversion webhooks took, by definition, versions and whether the call succeeded.',
    labels: ['crd_name', 'from_version', 'succeeded', 'to_version'],
    buckets: Array.from({ length: 15 }, (_, power) => 2 ** power / 1000),
  })
  return {
    called({ definition, from, to, seconds, failure }) {
      const outcome = [failure ?? '', failure ? 'failure' : 'success']
      requests.add(outcome)
      durations.observe(outcome, seconds)
      byDefinition.observe([definition, from, String(failure === undefined), to], seconds)
    },
  }
}
