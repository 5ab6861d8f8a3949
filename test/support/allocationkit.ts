import {
  type ClusterIps,
  countAddresses,
  createAddressMaps,
  createAddressMetrics,
  createClusterIps,
  createNodePorts,
  createPortMetrics,
  createRepair,
  createRepairMetrics,
  createServiceHooks,
  type NodePorts,
  type Repair,
} from '../../lib/allocation/index.ts'
import { createSeededRandom, silentLogger, systemClock } from '../../lib/base/index.ts'
import { parseCidr } from '../../lib/object/index.ts'
import { createMetrics, type MetricsRegistry } from '../../lib/observe/index.ts'
import type { WriteContext } from '../../lib/registry/index.ts'
import type { Store } from '../../lib/storage/index.ts'
import { createEndpointKit, type EndpointKit } from './endpointkit.ts'

/** The range of the node ports. */
export const range = { base: 30_000, size: 64 }
const context: WriteContext = {
  user: { name: 'system:apiserver', uid: '', groups: [], extra: {} },
  dryRun: false,
  warn() {},
}

/** One server's allocators over a store, with the endpoints of services. */
export interface Replica {
  readonly kit: EndpointKit
  readonly clusterIps: ClusterIps
  readonly nodePorts: NodePorts
  readonly repair: Repair
  readonly metrics: MetricsRegistry
  close(): Promise<void>
}

export async function createReplica(store: Store, blocks: readonly string[], seed: number): Promise<Replica> {
  const kit = await createEndpointKit({ store, seed })
  const { registry, scheme } = kit
  const random = createSeededRandom(seed)
  const cidrs = blocks.flatMap((block) => parseCidr(block) ?? [])
  const maps = createAddressMaps({ store, scheme, random }, { blocks: cidrs, prefix: '/registry' })
  const metrics = createMetrics()
  const addressMetrics = createAddressMetrics(metrics)
  const clusterIps = createClusterIps(
    { registry, clock: systemClock, random, context, metrics: addressMetrics, maps },
    { blocks: cidrs },
  )
  const counts = countAddresses(
    { registry, clock: systemClock, log: silentLogger, metrics: addressMetrics },
    clusterIps,
  )
  const nodePorts = createNodePorts(
    { store, scheme, random, metrics: createPortMetrics(metrics) },
    { range, key: '/registry/ranges/servicenodeports' },
  )
  const hooks = createServiceHooks({ registry, clusterIps, nodePorts, context, log: silentLogger })
  registry.resource({ group: '', resource: 'services' })?.hook(hooks)
  return {
    kit,
    clusterIps,
    nodePorts,
    repair: createRepair({
      registry,
      nodePorts,
      clock: systemClock,
      context,
      maps,
      metrics: createRepairMetrics(metrics),
    }),
    metrics,
    async close() {
      await counts.close()
      await kit.close()
    },
  }
}
