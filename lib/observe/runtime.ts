import type { Counter, MetricObjectWithValues, MetricValue, Registry } from 'prom-client'
import type { Combination } from '../base/index.ts'
import { type FamilySnapshot, writeLabels } from './snapshot.ts'

interface RuntimeCollector {
  /** The process's own metrics. */
  snapshot(): Promise<readonly FamilySnapshot[]>
}

/**
 * Metrics of the process and of Node, by prom-client, which is loaded at the first scrape: the start is faster without
 * it. Its histogram of the event loop's delay is reset at every scrape.
 */
export function createRuntimeCollector(): RuntimeCollector {
  let loading: Promise<Registry> | undefined
  return {
    async snapshot() {
      loading ??= load()
      const registry = await loading
      return (await registry.getMetricsAsJSON()).map(familyOf)
    },
  }
}

async function load(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const registry = new Registry()
  const { user, system } = process.cpuUsage()
  collectDefaultMetrics({ register: registry })
  // The delay counts from now on; the process has run for a while.
  const used = { cpu_user: user, cpu_system: system, cpu: user + system }
  for (const [name, microseconds] of Object.entries(used)) {
    const counter = registry.getSingleMetric(`process_${name}_seconds_total`) as Counter | undefined
    counter?.inc(microseconds / 1e6)
  }
  return registry
}

type Sample = MetricValue<string> & { readonly metricName?: string }

/** A histogram's samples are numbers here, too: cumulative, so that those of several processes add up. */
function familyOf({ name, help, type, values }: MetricObjectWithValues<MetricValue<string>>): FamilySnapshot {
  return {
    name,
    type: String(type),
    help,
    across: acrossOf(name, String(type)),
    numbers: (values as readonly Sample[]).map(({ labels, value, metricName = name }) => {
      const text = writeLabels(Object.entries(labels).map(([label, given]) => [label, String(given)]))
      return [metricName.slice(name.length) + (text === '' ? '' : `{${text}}`), value]
    }),
  }
}

/** Memory, descriptors and work of several processes add up; delays, limits and versions don't. */
function acrossOf(name: string, type: string): Combination {
  if (name === 'process_start_time_seconds') return 'min'
  return type !== 'gauge' || /_bytes$|_open_fds$|_active_/.test(name) ? 'sum' : 'max'
}
