import type { Metrics } from '../base/index.ts'

export interface ConditionMetrics {
  evaluated(name: string, operation: string, seconds: number): void
  excluded(name: string, operation: string): void
  failed(name: string, operation: string): void
}

/** Metrics of match conditions, for webhooks and policies. */
export function createConditionMetrics(
  metrics: Metrics,
  kind: 'webhook' | 'policy',
  type: 'admit' | 'validating' | 'validate',
): ConditionMetrics {
  const labels = ['name', 'kind', 'type', 'operation']
  const seconds = metrics.histogram({
    name: 'apiserver_admission_match_condition_evaluation_seconds',
    help: 'Time that the match conditions of one webhook or policy took, by name, kind, type and operation.',
    labels,
    buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
  })
  const exclusions = metrics.counter({
    name: 'apiserver_admission_match_condition_exclusions_total',
    help: 'Requests that match conditions left out, by name, kind, type and operation.',
    labels,
  })
  const errors = metrics.counter({
    name: 'apiserver_admission_match_condition_evaluation_errors_total',
    help: 'Match conditions that could not be decided, by name, kind, type and operation.',
    labels,
  })
  return {
    evaluated: (name, operation, took) => seconds.observe([name, kind, type, operation], took),
    excluded: (name, operation) => exclusions.add([name, kind, type, operation]),
    failed: (name, operation) => errors.add([name, kind, type, operation]),
  }
}
