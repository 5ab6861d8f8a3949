import type { Metrics } from '../../base/index.ts'
import type { Zone } from './zones.ts'

/** The label of a zone is made of labels of nodes, which administrators write. */
export function createZoneMetrics(metrics: Metrics): {
  zone(name: string, zone: Zone): void
  evicted(zone: string): void
  passed(seconds: number): void
  examined(seconds: number): void
} {
  const gauge = (name: string, help: string) =>
    metrics.gauge({ name: `node_collector_${name}`, help, labels: ['zone'], stability: 'ALPHA' })
  const health = gauge('zone_health', 'Percentage of healthy nodes of each zone.')
  const size = gauge('zone_size', 'Registered nodes of each zone.')
  const unhealthy = gauge('unhealthy_nodes_in_zone', 'Nodes of each zone that are not ready.')
  const evictions = metrics.counter({
    name: 'node_collector_evictions_total',
    help: 'Node evictions since the start, by zone.',
    labels: ['zone'],
    stability: 'STABLE',
  })
  const passes = metrics.histogram({
    name: 'node_collector_update_all_nodes_health_duration_seconds',
    help: 'Duration of a health check of all nodes, in seconds.',
    buckets: [0.01, 0.04, 0.16, 0.64, 2.56, 10.24, 40.96, 163.84],
    stability: 'ALPHA',
  })
  const looks = metrics.histogram({
    name: 'node_collector_update_node_health_duration_seconds',
    help: 'Duration of a health check of one node, in seconds.',
    buckets: [0.001, 0.004, 0.016, 0.064, 0.256, 1.024, 4.096, 16.384],
    stability: 'ALPHA',
  })
  return {
    zone(name, { size: all, unready }) {
      health.set([name], all === 0 ? 100 : (100 * (all - unready)) / all)
      size.set([name], all)
      unhealthy.set([name], unready)
    },
    evicted: (zone) => evictions.add([zone]),
    passed: (seconds) => passes.observe([], seconds),
    examined: (seconds) => looks.observe([], seconds),
  }
}
