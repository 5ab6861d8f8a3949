import { type Clock, Pauses, type Random } from '../base/index.ts'
import {
  type ApiObject,
  type Cidr,
  cidrContains,
  formatCidr,
  formatIp,
  type IpFamily,
  parseCidr,
  parseIp,
  StatusError,
} from '../object/index.ts'
import { listObjects, type Registry, type ResourceRegistry, type WriteContext } from '../registry/index.ts'
import { plainDeletion } from '../request/index.ts'
import type { AddressMaps } from './addressmaps.ts'
import type { AddressMetrics, AllocationScope } from './metrics.ts'
import { lowerBand, offsets } from './offsets.ts'

/** The Service that an address belongs to. */
export interface OwningService {
  readonly namespace: string
  readonly name: string
}

/** Addresses of services. Each allocated address is an IPAddress object, whose name can be created only once. */
export interface ClusterIps {
  /** Families of the server's own blocks, the primary one first. */
  readonly families: readonly IpFamily[]
  /** The server's own blocks, and those of ServiceCIDR objects, as of the last read. */
  readonly blocks: readonly Cidr[]
  /** First usable address of the primary block: that of the API itself. */
  readonly first: string
  /**
   * Allocates `address`. Resolves with the reason why it is not available, or undefined. A dry run allocates nothing.
   */
  take(address: string, owner: OwningService, dryRun: boolean): Promise<string | undefined>
  /** Allocates any free address; undefined: there is none. */
  takeAny(family: IpFamily, owner: OwningService, dryRun: boolean): Promise<string | undefined>
  /** Releases those that belong to the owner. */
  release(addresses: readonly string[], owner: OwningService): Promise<void>
}

/** Maximum number of addresses of a block that one allocation tries. */
const triesMax = 65_536
/** Offsets are numbers; a block of IPv6 has more addresses than services can use. */
const usableMax = 2 ** 32

export const managedByLabel = 'ipaddress.kubernetes.io/managed-by'
export const managedByUs = 'ipallocator.k8s.io'
const familyLabel = 'ipaddress.kubernetes.io/ip-family'

export function createClusterIps(
  {
    registry,
    clock,
    random,
    context,
    metrics,
    maps,
  }: {
    registry: Registry
    clock: Clock
    random: Random
    context: WriteContext
    metrics: AddressMetrics
    maps?: AddressMaps | undefined
  },
  { blocks }: { blocks: readonly Cidr[] },
): ClusterIps {
  const addresses = (): ResourceRegistry => resourceOf(registry, 'ipaddresses')
  let known = blocks

  /** The server's own blocks, and those of ServiceCIDR objects that are ready. */
  async function blocksOf(family: IpFamily): Promise<Cidr[]> {
    const found = new Map(blocks.map((block) => [formatCidr(block), block]))
    for (const object of await listObjects(resourceOf(registry, 'servicecidrs'), '', { at: 'any' })) {
      if (!isReady(object)) continue
      for (const text of (object['spec'] as { cidrs?: string[] } | undefined)?.cidrs ?? []) {
        const block = parseCidr(text)
        if (block) found.set(formatCidr(block), block)
      }
    }
    known = [...found.values()]
    return known.filter((block) => block.family === family)
  }

  async function tryTake(address: string, owner: OwningService, dryRun: boolean): Promise<boolean> {
    if (!dryRun && maps && !(await maps.take(address))) return false
    try {
      await addresses().create(objectOf(address, owner), { ...context, dryRun })
      return true
    } catch (error) {
      // The Service of the IPAddress object owns the bit, too: it must not be released here.
      if (error instanceof StatusError && error.reason === 'AlreadyExists') return false
      if (error instanceof StatusError && !dryRun) await maps?.release(address)
      throw error
    }
  }

  /** `attempt` returns the address, or undefined when it is not available. Dry runs are not counted. */
  async function counted(
    block: Cidr,
    scope: AllocationScope,
    dryRun: boolean,
    attempt: () => Promise<string | undefined>,
  ): Promise<string | undefined> {
    if (dryRun) return attempt()
    const startMs = clock.monotonicMs()
    let address: string | undefined
    try {
      address = await attempt()
      return address
    } finally {
      const cidr = formatCidr(block)
      if (address === undefined) metrics.failed(cidr, scope)
      else metrics.taken(cidr, scope, (clock.monotonicMs() - startMs) / 1000)
    }
  }

  async function takeFrom(block: Cidr, owner: OwningService, dryRun: boolean): Promise<string | undefined> {
    const { first, count } = usable(block)
    const lower = lowerBand(count, 16, 16, 256)
    const pauses = new Pauses(clock)
    for (const offset of offsets(count, lower, random, triesMax)) {
      const address = formatIp({ family: block.family, value: first + BigInt(offset) })
      // In a full block all addresses are tried.
      if (pauses.isDue) await pauses.pause()
      // An address that the cache shows as taken costs no request to the store.
      if (addresses().cache.peek(addresses().target('', address).key)) continue
      if (await tryTake(address, owner, dryRun)) return address
    }
    return undefined
  }

  return {
    families: blocks.map(({ family }) => family),
    get blocks() {
      return known
    },
    first: firstOf(blocks),
    async take(address, owner, dryRun) {
      const ip = parseIp(address)
      if (!ip) return 'is no address'
      const own = await blocksOf(ip.family)
      const block = own.find((one) => cidrContains(one, ip) && isUsable(one, ip.value))
      if (!block) {
        const valid = own.map(formatCidr).join(',')
        return `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${valid}`
      }
      const wanted = formatIp(ip)
      const attempt = async () => ((await tryTake(wanted, owner, dryRun)) ? wanted : undefined)
      const taken = await counted(block, 'static', dryRun, attempt)
      return taken === undefined ? 'provided IP is already allocated' : undefined
    },
    async takeAny(family, owner, dryRun) {
      for (const block of await blocksOf(family)) {
        const address = await counted(block, 'dynamic', dryRun, () => takeFrom(block, owner, dryRun))
        if (address !== undefined) return address
      }
      return undefined
    },
    async release(released, owner) {
      for (const address of released) {
        const ip = parseIp(address)
        if (ip && (await releaseOne(addresses(), formatIp(ip), owner, context))) await maps?.release(formatIp(ip))
      }
    },
  }
}

/** False: it belongs to another owner, or doesn't exist. */
export async function releaseOne(
  addresses: ResourceRegistry,
  address: string,
  owner: OwningService,
  context: WriteContext,
): Promise<boolean> {
  try {
    await addresses.delete(addresses.target('', address), plainDeletion, {
      ...context,
      validate(_, old) {
        if (old && !isOwnedBy(old, owner))
          throw new StatusError(404, 'NotFound', 'the address belongs to another service')
      },
    })
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'NotFound') return false
    throw error
  }
  return true
}

export function resourceOf(registry: Registry, resource: string, group = 'networking.k8s.io'): ResourceRegistry {
  const found = registry.resource({ group, resource })
  if (!found) throw new Error(`${resource}.${group} is not stored here`)
  return found
}

export function objectOf(address: string, { namespace, name }: OwningService): ApiObject {
  const family = address.includes(':') ? 'IPv6' : 'IPv4'
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IPAddress',
    metadata: { name: address, labels: { [familyLabel]: family, [managedByLabel]: managedByUs } },
    spec: { parentRef: { group: '', resource: 'services', namespace, name } },
  }
}

export function ownerOf(object: ApiObject): OwningService | undefined {
  const parent = (object['spec'] as { parentRef?: Record<string, string> } | undefined)?.parentRef
  if (parent?.['resource'] !== 'services' || parent['group']) return undefined
  return { namespace: parent['namespace'] ?? '', name: parent['name'] ?? '' }
}

function isOwnedBy(object: ApiObject, owner: OwningService): boolean {
  const actual = ownerOf(object)
  return actual?.name === owner.name && actual.namespace === owner.namespace
}

function isReady(object: ApiObject): boolean {
  if (object.metadata.deletionTimestamp !== undefined) return false
  const { conditions = [] } = (object['status'] ?? {}) as { conditions?: { type: string; status: string }[] }
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
}

/** The range without the network's address, and in IPv4 without the broadcast address. */
export function usable({ family, base, size }: Cidr): { first: bigint; count: number } {
  const count = size - (family === 'IPv4' ? 2n : 1n)
  return { first: base + 1n, count: count > BigInt(usableMax) ? usableMax : Math.max(0, Number(count)) }
}

function isUsable(block: Cidr, value: bigint): boolean {
  const last = block.base + block.size - 1n
  return value !== block.base && !(block.family === 'IPv4' && value === last)
}

function firstOf([primary]: readonly Cidr[]): string {
  if (!primary) throw new Error('services need at least one block of addresses')
  return formatIp({ family: primary.family, value: primary.base + 1n })
}
