import type { Clock, Metrics } from '../../base/index.ts'

export type Operation = 'get' | 'list' | 'create' | 'update' | 'delete' | 'currentRevision' | 'compact'

/** The resource of a key, for metrics; must return few distinct values. */
export type DescribeKey = (key: string) => { group: string; resource: string }

/** Counts and times requests under the names and buckets that dashboards of kube-apiserver expect. */
export interface Recorder {
  /** Seconds by the monotonic clock; pass it to the other methods. */
  start(): number
  succeeded(operation: Operation, key: string, startedMs: number): void
  failed(operation: Operation, key: string, startedMs: number): void
}

interface Series {
  labels: readonly string[]
  duration: { observe(value: number): void }
}

const labels = ['group', 'operation', 'resource'] as const
const buckets = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
] as const

export function createRecorder(clock: Clock, metrics: Metrics, describe: DescribeKey | undefined): Recorder {
  const stability = 'ALPHA'
  const duration = metrics.histogram({
    name: 'etcd_request_duration_seconds',
    help: 'Etcd request latency in seconds for each operation and object type.',
    labels,
    stability,
    buckets,
  })
  const requests = metrics.counter({
    name: 'etcd_requests_total',
    help: 'Etcd request counts for each operation and object type.',
    labels,
    stability,
  })
  const errors = metrics.counter({
    name: 'etcd_request_errors_total',
    help: 'Etcd failed request counts for each operation and object type.',
    labels,
    stability,
  })
  const known = new Map<string, Series>()

  function seriesOf(operation: Operation, key: string): Series {
    const { group, resource } = describe?.(key) ?? { group: '', resource: '' }
    const name = `${operation}/${group}/${resource}`
    let series = known.get(name)
    if (!series) {
      const values = [group, operation, resource]
      series = { labels: values, duration: duration.at(values) }
      known.set(name, series)
    }
    return series
  }

  function record(operation: Operation, key: string, startedMs: number): Series {
    const series = seriesOf(operation, key)
    requests.add(series.labels)
    series.duration.observe((clock.monotonicMs() - startedMs) / 1000)
    return series
  }

  return {
    start: () => clock.monotonicMs(),
    succeeded: (operation, key, startedMs) => void record(operation, key, startedMs),
    failed: (operation, key, startedMs) => errors.add(record(operation, key, startedMs).labels),
  }
}
