import type { Metrics } from '../base/index.ts'

/** Counts requests under the metric names that dashboards use. */
interface ClientMetrics {
  /**
   * Begins one attempt: returns a function to call at its end, with the answer's status, or without one when there was
   * no answer.
   */
  begin(method: string, url: string, bodyBytes: number | undefined): (answer?: Answer) => void
}

interface Answer {
  readonly status: number
  readonly bodyBytes: number
}

const sizes = [64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216]

export function createClientMetrics(metrics: Metrics, monotonicMs: () => number): ClientMetrics {
  const stability = 'ALPHA'
  const labels = ['host', 'verb']
  const requests = metrics.counter({
    name: 'rest_client_requests_total',
    help: 'Requests to other servers, by the status that they were answered with',
    labels: ['code', 'host', 'method'],
    stability,
  })
  const durations = metrics.histogram({
    name: 'rest_client_request_duration_seconds',
    help: 'Time that requests to other servers took',
    labels,
    stability,
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
  })
  const bodies = metrics.histogram({
    name: 'rest_client_request_size_bytes',
    help: 'Bytes of bodies sent to other servers',
    labels,
    stability,
    buckets: sizes,
  })
  const answers = metrics.histogram({
    name: 'rest_client_response_size_bytes',
    help: 'Bytes of bodies that other servers answered with',
    labels,
    stability,
    buckets: sizes,
  })
  /** The latest server, as most clients have one. */
  let latest = { origin: '', host: '' }

  function hostOf(url: string): string {
    const end = url.indexOf('/', url.indexOf('//') + 2)
    const origin = end < 0 ? url : url.slice(0, end)
    if (origin !== latest.origin) latest = { origin, host: new URL(url).host }
    return latest.host
  }

  return {
    begin(method, url, bodyBytes) {
      const startMs = monotonicMs()
      const host = hostOf(url)
      return (answer) => {
        requests.add([answer ? String(answer.status) : '<error>', host, method])
        durations.observe([host, method], (monotonicMs() - startMs) / 1000)
        if (bodyBytes !== undefined) bodies.observe([host, method], bodyBytes)
        if (answer) answers.observe([host, method], answer.bodyBytes)
      }
    },
  }
}
