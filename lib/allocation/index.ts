// allocation: addresses and ports of Services from a shared store: cluster IPs, which are IPAddress objects, and node
// ports, which are bits of one stored RangeAllocation. Invariant: no replica allocates a value twice; addresses and
// ports that no Service has any more are found and released. Must not know HTTP.
export { countAddresses } from './addresscounts.ts'
export { createAddressMaps } from './addressmaps.ts'
export { type ClusterIps, createClusterIps } from './clusterips.ts'
export { createAddressMetrics, createPortMetrics, createRepairMetrics } from './metrics.ts'
export { createNodePorts, type NodePorts } from './nodeports.ts'
export { createRepair, type Repair } from './repair.ts'
export { createServiceHooks } from './services.ts'
