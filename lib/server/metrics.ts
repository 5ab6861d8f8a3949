import type { AuthenticationResult } from '../authn/index.ts'
import type { AuthorizationResult } from '../authz/index.ts'
import type { Clock, Closable, Gauge, Metrics } from '../base/index.ts'
import type { ServerCall } from './call.ts'
import { createRequestSeries, type RequestSeries } from './series.ts'

const filterBuckets = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30]
const flushMs = 1000
/** Names of the health metrics: the gauge and the counter. */
export const healthMetricNames = ['kubernetes_healthcheck', 'kubernetes_healthchecks_total'] as const

/** The server's metrics, under the stock server's names and labels. */
export interface ServerMetrics extends Closable {
  started(call: ServerCall): void
  finished(call: ServerCall, tookMs: number): void
  /** The server ended it before its handler was done: deadline, overload. */
  terminated(call: ServerCall, code: number): void
  /** Broken off after the answer had begun. */
  broken(call: ServerCall): void
  /** A handler settled after its client had been answered with the timeout. */
  afterTimeout(failed: boolean): void
  readsInFlight(count: number): void
  writesInFlight(count: number): void
  authenticated(result: AuthenticationResult, tookMs: number): void
  authorized(result: AuthorizationResult, tookMs: number): void
  checked(check: string, page: string, healthy: boolean): void
  handshakeFailed(): void
  /** Passes on what the hot path has accumulated; call it before a scrape. */
  flush(): void
}

export function createServerMetrics(
  { metrics, clock }: { metrics: Metrics; clock: Clock },
  serves: (call: ServerCall) => boolean,
): ServerMetrics {
  const series = createRequestSeries(metrics, serves)
  const requestLabels = ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component']
  const longRunning = metrics.gauge({
    name: 'apiserver_longrunning_requests',
    help: 'Requests under way that last long by nature, such as watches.',
    labels: requestLabels,
    across: 'sum',
    stability: 'STABLE',
  })
  const terminations = metrics.counter({
    name: 'apiserver_request_terminations_total',
    help: 'Requests that the server ended in self-defence.',
    labels: [...requestLabels, 'code'],
    stability: 'ALPHA',
  })
  const aborts = metrics.counter({
    name: 'apiserver_request_aborts_total',
    help: 'Requests broken off by the server, probably for a timeout, after their answer had begun.',
    labels: ['verb', 'group', 'version', 'resource', 'subresource', 'scope'],
    stability: 'ALPHA',
  })
  const late = metrics.counter({
    name: 'apiserver_request_post_timeout_total',
    help: 'Requests whose handler went on after the timeout.',
    labels: ['source', 'status'],
    stability: 'ALPHA',
  })
  const filterDuration = metrics.histogram({
    name: 'apiserver_request_filter_duration_seconds',
    help: 'Time spent in a filter of the chain, in seconds.',
    labels: ['filter'],
    stability: 'ALPHA',
    buckets: filterBuckets,
  })
  const authentication = filterDuration.at(['authentication'])
  const authorization = filterDuration.at(['authorization'])
  const [lastResult, results] = healthMetricNames
  const healthy = metrics.gauge({
    name: lastResult,
    help: 'The last result of a health check: 1 is healthy.',
    labels: ['name', 'type'],
    across: 'min',
    stability: 'STABLE',
  })
  const healthChecks = metrics.counter({
    name: results,
    help: 'Results of health checks.',
    labels: ['name', 'type', 'status'],
    stability: 'STABLE',
  })
  const handshakeErrors = metrics.counter({
    name: 'apiserver_tls_handshake_errors_total',
    help: "Connections dropped with 'TLS handshake error from'.",
    stability: 'ALPHA',
  })
  const inFlight = metrics.gauge({
    name: 'apiserver_current_inflight_requests',
    help: 'Most requests under way at once in the last second, by kind.',
    labels: ['request_kind'],
    across: 'sum',
    stability: 'STABLE',
  })
  const reads = watermark(inFlight, 'readOnly')
  const writes = watermark(inFlight, 'mutating')
  const open = new Map<RequestSeries, number>()
  const setOpen = (of: RequestSeries, by: number): void => {
    open.set(of, (open.get(of) ?? 0) + by)
    longRunning.add(requestLabelsOf(of), by)
  }

  function flush(): void {
    series.flush()
  }
  const timer = clock.every(flushMs, () => {
    series.flush()
    reads.roll()
    writes.roll()
  })

  return {
    started(call) {
      if (call.longRunning) setOpen(series.of(call), 1)
    },
    finished(call, tookMs) {
      const of = series.of(call)
      if (call.longRunning) setOpen(of, -1)
      series.count(of, call, tookMs / 1000)
    },
    terminated(call, code) {
      terminations.add([...requestLabelsOf(series.of(call)), String(code)])
    },
    broken(call) {
      aborts.add(requestLabelsOf(series.of(call)).slice(0, -1))
    },
    afterTimeout(failed) {
      late.add(['timeout-handler', failed ? 'error' : 'ok'])
    },
    readsInFlight: reads.see,
    writesInFlight: writes.see,
    authenticated: (_result, tookMs) => authentication.observe(tookMs / 1000),
    authorized: (_result, tookMs) => authorization.observe(tookMs / 1000),
    checked(check, page, passed) {
      healthy.set([check, page], passed ? 1 : 0)
      healthChecks.add([check, page, passed ? 'success' : 'error'])
    },
    handshakeFailed: () => handshakeErrors.add([]),
    flush,
    close() {
      flush()
      return timer.close()
    },
  }
}

function requestLabelsOf({ verb, group, version, resource, subresource, scope, component }: RequestSeries): string[] {
  return [verb, group, version, resource, subresource, scope, component]
}

/** The highest count of the last second. */
function watermark(gauge: Gauge, kind: string): { see(count: number): void; roll(): void } {
  const labels = [kind]
  let high = 0
  let reported = -1
  return {
    see(count) {
      if (count > high) high = count
    },
    roll() {
      if (high !== reported) gauge.set(labels, high)
      reported = high
      high = 0
    },
  }
}
