import type { Metrics } from '../../base/index.ts'

export type PolicyErrorType = 'compile_error' | 'invalid_error' | 'out_of_budget' | 'no_error'
export type EnforcementAction = 'allow' | 'deny' | 'audit' | 'warn'

export interface ValidatingMetrics {
  checked(
    of: { policy: string; binding: string; error: PolicyErrorType },
    action: EnforcementAction,
    seconds: number,
  ): void
}

const buckets = [5e-7, 0.001, 0.01, 0.1, 1]

export function createValidatingMetrics(metrics: Metrics): ValidatingMetrics {
  const labels = ['policy', 'policy_binding', 'error_type', 'enforcement_action']
  const checks = metrics.counter({
    name: 'apiserver_validating_admission_policy_check_total',
    help: 'Checks of validating admission policies that did not simply admit, by policy, binding, error and action.',
    labels,
    stability: 'BETA',
  })
  const duration = metrics.histogram({
    name: 'apiserver_validating_admission_policy_check_duration_seconds',
    help: 'Time that checks of validating admission policies took, by policy, binding, error and action.',
    labels,
    buckets,
    stability: 'BETA',
  })
  return {
    checked({ policy, binding, error }, action, seconds) {
      checks.add([policy, binding, error, action])
      duration.observe([policy, binding, error, action], seconds)
    },
  }
}

export interface MutatingMetrics {
  checked(of: { policy: string; binding: string; error: PolicyErrorType }, seconds: number): void
}

export function createMutatingMetrics(metrics: Metrics): MutatingMetrics {
  const labels = ['policy', 'policy_binding', 'error_type']
  const checks = metrics.counter({
    name: 'apiserver_mutating_admission_policy_check_total',
    help: 'Checks of mutating admission policies, by policy, binding and error.',
    labels,
  })
  const duration = metrics.histogram({
    name: 'apiserver_mutating_admission_policy_check_duration_seconds',
    help: 'Time that checks of mutating admission policies took, by policy, binding and error.',
    labels,
    buckets,
  })
  return {
    checked({ policy, binding, error }, seconds) {
      checks.add([policy, binding, error])
      duration.observe([policy, binding, error], seconds)
    },
  }
}
