import type { Clock } from '../clock.ts'
import type { Metrics } from '../metrics.ts'

export interface ReloadMetricOptions {
  /** `<prefix>_automatic_reloads_total`, `…_automatic_reload_last_timestamp_seconds`, `…_last_config_info`. */
  readonly prefix: string
  readonly stability: 'ALPHA' | 'BETA'
  /** The names of one server's series, such as `apiserver_id_hash`. */
  readonly labels?: Readonly<Record<string, string>>
}

export interface ReloadMetrics {
  reloaded(digest: string): void
  refused(): void
}

/** The metrics of Kubernetes for every reloaded configuration. */
export function createReloadMetrics(
  clock: Clock,
  metrics: Metrics,
  { prefix, stability, labels = {} }: ReloadMetricOptions,
  firstDigest: string,
): ReloadMetrics {
  const [names, values] = [Object.keys(labels), Object.values(labels)]
  const reloads = metrics.counter({
    name: `${prefix}_automatic_reloads_total`,
    help: 'Changes of the configuration, by whether they could be used.',
    labels: [...names, 'status'],
    stability,
  })
  const last = metrics.gauge({
    name: `${prefix}_automatic_reload_last_timestamp_seconds`,
    help: 'When the configuration changed last, by whether the change could be used, in seconds since the epoch.',
    labels: [...names, 'status'],
    stability,
  })
  const info = metrics.gauge({
    name: `${prefix}_last_config_info`,
    help: 'The digest of the configuration in use.',
    labels: [...names, 'hash'],
    stability: 'ALPHA',
  })
  let current = firstDigest
  info.collect(() => [{ labels: [...values, current], value: 1 }])

  function count(status: 'success' | 'failure'): void {
    reloads.add([...values, status])
    last.set([...values, status], clock.now() / 1000)
  }
  return {
    reloaded(digest) {
      current = digest
      count('success')
    },
    refused: () => count('failure'),
  }
}
