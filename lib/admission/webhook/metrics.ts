import type { Metrics } from '../../base/index.ts'

export interface HookMetrics {
  answered(of: { name: string; operation: string; rejected: boolean; code: number }, seconds: number): void
  rejected(of: { name: string; operation: string; error: RejectionKind; code: number }): void
  failedOpen(name: string): void
}

type RejectionKind = 'calling_webhook_error' | 'apiserver_internal_error' | 'no_error'

/** Greater codes are counted as this one. */
const codeMax = 600

export function createHookMetrics(metrics: Metrics, type: 'admit' | 'validating'): HookMetrics {
  const duration = metrics.histogram({
    name: 'apiserver_admission_webhook_admission_duration_seconds',
    help: 'Time that one admission webhook took, by name, operation, type and whether it refused.',
    labels: ['name', 'operation', 'rejected', 'type'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25],
    stability: 'STABLE',
  })
  const requests = metrics.counter({
    name: 'apiserver_admission_webhook_request_total',
    help: 'Calls of admission webhooks, by name, operation, code, type and whether the request was refused.',
    labels: ['code', 'name', 'operation', 'rejected', 'type'],
  })
  const rejections = metrics.counter({
    name: 'apiserver_admission_webhook_rejection_count',
    help: 'Requests that were refused at an admission webhook, by name, operation, type, code and what went wrong.',
    labels: ['error_type', 'name', 'operation', 'rejection_code', 'type'],
  })
  const open = metrics.counter({
    name: 'apiserver_admission_webhook_fail_open_count',
    help: 'Calls of admission webhooks that failed and were ignored, by name and type.',
    labels: ['name', 'type'],
  })
  return {
    answered({ name, operation, rejected, code }, seconds) {
      duration.observe([name, operation, String(rejected), type], seconds)
      requests.add([String(Math.min(code, codeMax)), name, operation, String(rejected), type])
    },
    rejected: ({ name, operation, error, code }) =>
      rejections.add([error, name, operation, String(Math.min(code, codeMax)), type]),
    failedOpen: (name) => open.add([name, type]),
  }
}
