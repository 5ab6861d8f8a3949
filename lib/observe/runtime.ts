import type { Counter, Registry } from 'prom-client'
import type { ExpositionFormat } from './metrics.ts'

interface RuntimeCollector {
  /** The process's own metrics as text, without an end mark. */
  write(format: ExpositionFormat): Promise<string>
}

/**
 * Metrics of the process and of Node, by prom-client, which is loaded at the first scrape: the start is faster without
 * it. Its histogram of the event loop's delay is reset at every scrape.
 */
export function createRuntimeCollector(): RuntimeCollector {
  let loading: Promise<Registry> | undefined
  return {
    async write(format) {
      loading ??= load()
      const registry = await loading
      const text = await registry.metrics()
      // Gauges have the same text format in both; prom-client's counters here are the _total ones.
      const families = text
        .split('\n\n')
        .map((family) => (format === 'openmetrics' ? nameWithoutTotal(family) : family))
      return `${families.map((family) => family.trim()).join('\n')}\n`
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

/** OpenMetrics names a counter's family without the suffix of its samples. */
function nameWithoutTotal(family: string): string {
  return family.includes(' counter\n') ? family.replace(/^(# (?:HELP|TYPE) \S+?)_total /gm, '$1 ') : family
}
