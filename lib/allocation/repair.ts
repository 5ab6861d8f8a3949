import type { Clock } from '../base/index.ts'
import { serviceSpec } from '../kinds/index.ts'
import { type ApiObject, parseTime, StatusError } from '../object/index.ts'
import { listObjects, type Registry, type WriteContext } from '../registry/index.ts'
import type { AddressMaps } from './addressmaps.ts'
import {
  managedByLabel,
  managedByUs,
  type OwningService,
  objectOf,
  ownerOf,
  releaseOne,
  resourceOf,
} from './clusterips.ts'
import type { RepairMetrics } from './metrics.ts'
import type { NodePorts } from './nodeports.ts'
import { addressesOf, portsOf } from './services.ts'

/** Reconciles allocations with services after crashes between the two writes. */
export interface Repair {
  run(): Promise<void>
}

/** An address without a service may belong to one that is being created. */
const graceMs = 60_000

export function createRepair({
  registry,
  nodePorts,
  clock,
  context,
  maps,
  metrics,
}: {
  registry: Registry
  nodePorts: NodePorts
  maps?: AddressMaps | undefined
  clock: Clock
  context: WriteContext
  metrics: RepairMetrics
}): Repair {
  return {
    async run() {
      // First the allocations, then the services: a service that is created in between is found.
      const addresses = await listObjects(resourceOf(registry, 'ipaddresses'), '', { at: 'latest' })
      const services = await listObjects(resourceOf(registry, 'services', ''), '', { at: 'latest' })
      await counted('nodeport', () => repairPorts(services))
      await counted('clusterip', async () => {
        await repairAddresses(addresses, services)
        await maps?.repair(new Set(services.flatMap((service) => addressesOf(serviceSpec(service)))))
      })
    },
  }

  async function counted(of: 'clusterip' | 'nodeport', turn: () => Promise<void>): Promise<void> {
    try {
      await turn()
    } catch (error) {
      metrics.failed(of)
      throw error
    }
  }

  async function repairPorts(services: readonly ApiObject[]): Promise<void> {
    const used = new Set(services.flatMap((service) => portsOf(serviceSpec(service))))
    const { added, dropped } = await nodePorts.repair(used)
    metrics.ports('repair', added)
    metrics.ports('leak', dropped)
  }

  async function repairAddresses(addresses: readonly ApiObject[], services: readonly ApiObject[]): Promise<void> {
    const owners = new Map<string, OwningService>()
    for (const service of services) {
      const { name = '', namespace = '' } = service.metadata
      for (const address of addressesOf(serviceSpec(service))) owners.set(address, { namespace, name })
    }
    const known = new Set(addresses.map(({ metadata }) => metadata.name))
    for (const [address, owner] of owners) if (!known.has(address)) await add(address, owner)
    for (const object of addresses) {
      const { name = '', labels, creationTimestamp } = object.metadata
      const owner = ownerOf(object)
      if (!owner || labels?.[managedByLabel] !== managedByUs || owners.has(name)) continue
      if (creationTimestamp && clock.now() - parseTime(creationTimestamp) < graceMs) continue
      if (!(await releaseOne(resourceOf(registry, 'ipaddresses'), name, owner, context))) continue
      metrics.address('leak')
      await maps?.release(name)
    }
  }

  async function add(address: string, owner: OwningService): Promise<void> {
    try {
      await resourceOf(registry, 'ipaddresses').create(objectOf(address, owner), context)
      metrics.address('repair')
    } catch (error) {
      if (!(error instanceof StatusError && error.reason === 'AlreadyExists')) throw error
    }
  }
}
