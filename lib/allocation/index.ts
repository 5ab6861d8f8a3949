// allocation: addresses and ports of Services out of a common store: cluster IPs, which are IPAddress objects, and
// ports of the nodes, which are bits of one stored RangeAllocation. Invariant: nothing is handed out twice, by
// whichever replica; addresses and ports that no Service has any more are found and given back. Must not know HTTP.
export { countAddresses } from './addresscounts.ts'
export { createAddressMaps } from './addressmaps.ts'
export { type ClusterIps, createClusterIps } from './clusterips.ts'
export { createAddressMetrics, createPortMetrics, createRepairMetrics } from './metrics.ts'
export { createNodePorts, type NodePorts } from './nodeports.ts'
export { createRepair, type Repair } from './repair.ts'
export { createServiceHooks } from './services.ts'
