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
  type Repair,
} from '../../allocation/index.ts'
import type { Clock, Closable, Logger, Metrics, Random } from '../../base/index.ts'
import { type Cidr, isLoopback, parseIp } from '../../object/index.ts'
import type { Registry, WriteContext } from '../../registry/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import type { Store } from '../../storage/index.ts'
import { createHook, type Hook } from '../hooks/hook.ts'
import { createKubernetesService } from '../hooks/kubernetesservice.ts'
import { ownContext } from '../hooks/ownwrites.ts'
import { createReplicaLeases, type ReplicaLeases } from '../hooks/replicaleases.ts'
import { createServiceCidrs } from '../hooks/servicecidrs.ts'

/** The address ranges of services, and the address of this API for pods. */
export interface ServicesConfig {
  /** Blocks of cluster IPs, the primary one first; at most one of each family. */
  readonly blocks: readonly Cidr[]
  /** Ports of the nodes, both inclusive. */
  readonly nodePorts: { readonly first: number; readonly last: number }
  /** Address of this replica for the members of the cluster. */
  readonly advertised: string
  /** False: another program maintains the endpoints of the service `kubernetes`. */
  readonly keepsEndpoints: boolean
  /** True: the address stays published when this process ends, as others of the server go on. */
  readonly leavesEndpoint?: boolean
  /** Node port of the service `kubernetes`; 0: none. */
  readonly ownNodePort: number
}

interface ServiceParts {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
  readonly registry: Registry
  readonly scheme: Scheme
  readonly store: Store
  /** True when a feature gate is on. */
  gate(name: string): boolean
  /** The port on which this server listens, once it does. */
  readonly port: Promise<number>
}

const repairMs = 180_000

/**
 * Allocates addresses and ports of services, and maintains the service `kubernetes` with the endpoints of all replicas.
 */
export function composeServices(
  config: ServicesConfig,
  storagePrefix: string,
  parts: ServiceParts,
): { hooks: readonly Hook[]; close(): Promise<void> } {
  const { clusterIps, repair, counts } = openAllocation(config, storagePrefix, parts)
  const leases = openLeases(config, storagePrefix, parts)
  const hooks = [
    createServiceCidrs(parts, config.blocks),
    createHook(parts, {
      name: 'start-service-ip-repair-controllers',
      repeatMs: repairMs,
      retry: 'before-ready',
      run: () => repair.run(),
    }),
    createKubernetesService({ ...parts, clusterIps, leases }, config),
  ]
  return {
    hooks,
    async close() {
      await Promise.all(hooks.map((hook) => hook.close()))
      await counts.close()
      if (config.leavesEndpoint !== true) await leases?.close()
    },
  }
}

/** Installs the allocation of cluster addresses and node ports as hooks of services' writes. */
function openAllocation(
  { blocks, nodePorts: { first, last } }: ServicesConfig,
  prefix: string,
  { clock, random, log, metrics, registry, scheme, store, gate }: ServiceParts,
): { clusterIps: ClusterIps; repair: Repair; counts: Closable } {
  const context: WriteContext = ownContext()
  const maps = gate('DisableAllocatorDualWrite')
    ? undefined
    : createAddressMaps({ store, scheme, random }, { blocks, prefix })
  const addressMetrics = createAddressMetrics(metrics)
  const clusterIps = createClusterIps({ registry, clock, random, context, metrics: addressMetrics, maps }, { blocks })
  const counts = countAddresses({ registry, clock, log, metrics: addressMetrics }, clusterIps)
  const nodePorts = createNodePorts(
    { store, scheme, random, metrics: createPortMetrics(metrics) },
    { range: { base: first, size: last - first + 1 }, key: `${prefix}/ranges/servicenodeports` },
  )
  registry
    .resource({ group: '', resource: 'services' })
    ?.hook(createServiceHooks({ registry, clusterIps, nodePorts, context, log }))
  const repair = createRepair({ registry, nodePorts, clock, context, maps, metrics: createRepairMetrics(metrics) })
  return { clusterIps, repair, counts }
}

/** Undefined when this replica publishes no endpoint: it can't be a loopback address. */
function openLeases(
  { keepsEndpoints, advertised }: ServicesConfig,
  prefix: string,
  parts: ServiceParts,
): ReplicaLeases | undefined {
  const address = parseIp(advertised)
  if (!keepsEndpoints || !address || isLoopback(address)) return undefined
  const lease = { subsets: [{ addresses: [{ ip: advertised }] }] }
  return createReplicaLeases(parts, { prefix: `${prefix}/masterleases/`, name: advertised, lease: async () => lease })
}
