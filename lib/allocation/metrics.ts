import type { Metrics } from '../base/index.ts'

/** `static`: the client requested this one; `dynamic`: it requested any. */
export type AllocationScope = 'static' | 'dynamic'

/** Counts the addresses of a block under the metric names that dashboards use. `cidr`: the block. */
export interface AddressMetrics {
  taken(cidr: string, scope: AllocationScope, seconds: number): void
  failed(cidr: string, scope: AllocationScope): void
  /** `read` returns the counts of each block at scrape. */
  expose(read: () => Iterable<{ readonly cidr: string; readonly allocated: number; readonly available: number }>): void
}

export interface PortMetrics {
  taken(scope: AllocationScope): void
  failed(scope: AllocationScope): void
  /** Sets the counts of the map of ports. */
  seen(allocated: number, available: number): void
}

/**
 * Kinds of errors that repairs find: `leak`, allocated but not used by a Service; `repair`, used by one but not
 * allocated.
 */
type RepairFinding = 'leak' | 'repair'

export interface RepairMetrics {
  address(finding: RepairFinding): void
  ports(finding: RepairFinding, count: number): void
  /** A repair failed. */
  failed(of: 'clusterip' | 'nodeport'): void
}

export function createRepairMetrics(metrics: Metrics): RepairMetrics {
  const counter = (name: string, help: string, labels: readonly string[] = []) =>
    metrics.counter({ name: `apiserver_${name}`, help, labels, stability: 'ALPHA' })
  const addresses = counter('clusterip_repair_ip_errors_total', 'Cluster addresses that repairs put right', ['type'])
  const ports = counter('nodeport_repair_port_errors_total', 'Node ports that repairs put right', ['type'])
  const failures = {
    clusterip: counter('clusterip_repair_reconcile_errors_total', 'Repairs of cluster addresses that failed'),
    nodeport: counter('nodeport_repair_reconcile_errors_total', 'Repairs of node ports that failed'),
  }
  return {
    address: (finding) => addresses.add([finding]),
    ports: (finding, count) => count > 0 && ports.add([finding], count),
    failed: (of) => failures[of].add([]),
  }
}

const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createAddressMetrics(metrics: Metrics): AddressMetrics {
  const named = (name: string, help: string, labels: readonly string[] = ['cidr']) =>
    ({ name: `kube_apiserver_clusterip_allocator_${name}`, help, labels, stability: 'ALPHA' }) as const
  const scoped = ['cidr', 'scope']
  const taken = metrics.counter(named('allocation_total', 'Cluster addresses that were handed out', scoped))
  const failed = metrics.counter(
    named('allocation_errors_total', 'Cluster addresses that could not be handed out', scoped),
  )
  const allocated = metrics.gauge(named('allocated_ips', 'Cluster addresses that services have'))
  const available = metrics.gauge(named('available_ips', 'Cluster addresses that are free'))
  const took = metrics.histogram({
    ...named('allocation_duration_seconds', 'Time that it took to hand out a cluster address'),
    buckets: durationBuckets,
  })
  return {
    taken(cidr, scope, seconds) {
      taken.add([cidr, scope])
      took.observe([cidr], seconds)
    },
    failed: (cidr, scope) => failed.add([cidr, scope]),
    expose(read) {
      allocated.collect(() => Array.from(read(), (block) => ({ labels: [block.cidr], value: block.allocated })))
      available.collect(() => Array.from(read(), (block) => ({ labels: [block.cidr], value: block.available })))
    },
  }
}

export function createPortMetrics(metrics: Metrics): PortMetrics {
  const named = (name: string, help: string, labels: readonly string[] = []) =>
    ({ name: `kube_apiserver_nodeport_allocator_${name}`, help, labels, stability: 'ALPHA' }) as const
  const taken = metrics.counter(named('allocation_total', 'Node ports that were handed out', ['scope']))
  const failed = metrics.counter(named('allocation_errors_total', 'Node ports that could not be handed out', ['scope']))
  const allocated = metrics.gauge(named('allocated_ports', 'Node ports that services have'))
  const available = metrics.gauge(named('available_ports', 'Node ports that are free'))
  return {
    taken: (scope) => taken.add([scope]),
    failed: (scope) => failed.add([scope]),
    seen(used, free) {
      allocated.set([], used)
      available.set([], free)
    },
  }
}
