import type { Clock, Closable, Logger } from '../base/index.ts'
import { type FollowListener, followCache } from '../cache/index.ts'
import { type Cidr, cidrContains, formatCidr, type Ip, parseIp } from '../object/index.ts'
import type { Registry } from '../registry/index.ts'
import { type ClusterIps, resourceOf, usable } from './clusterips.ts'
import type { AddressMetrics } from './metrics.ts'

/** Counts at scrape the addresses of each block that any replica has allocated, and the free ones. */
export function countAddresses(
  { registry, clock, log, metrics }: { registry: Registry; clock: Clock; log: Logger; metrics: AddressMetrics },
  clusterIps: Pick<ClusterIps, 'blocks'>,
): Closable {
  const taken = new Map<string, Ip>()
  const { cache, fieldReader } = resourceOf(registry, 'ipaddresses')
  const listener: FollowListener = {
    set({ metadata: { name = '' } }) {
      const ip = parseIp(name)
      if (ip) taken.set(name, ip)
    },
    remove: (_, name) => void taken.delete(name),
  }
  const follower = followCache({ clock, log }, cache, listener, {
    read: fieldReader(['metadata.name', 'metadata.namespace']),
  })
  metrics.expose(() => clusterIps.blocks.map((block) => countIn(block, taken.values())))
  return follower
}

function countIn(block: Cidr, taken: Iterable<Ip>): { cidr: string; allocated: number; available: number } {
  let allocated = 0
  for (const ip of taken) if (cidrContains(block, ip)) allocated++
  return { cidr: formatCidr(block), allocated, available: Math.max(0, usable(block).count - allocated) }
}
