import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../../api/gen/core/v1.ts'
import { appendAll } from '../../base/index.ts'
import type { Frozen } from '../../object/index.ts'

type Subsets = readonly Frozen<EndpointSubset>[]

/**
 * Maximum number of addresses in all packed subsets. Subsets that share only some ports repeat their addresses: an
 * object of a megabyte could expand to a hundred million addresses.
 */
const placesMax = 200_000

interface Repacked {
  readonly subsets: EndpointSubset[]
  /** Number of addresses in subsets that are left out because of the limit. */
  readonly leftOut: number
}

interface Port {
  /** Ports with the same key are equal. */
  readonly key: string
  /** Undefined: addresses without ports. */
  readonly port: Frozen<EndpointPort> | undefined
}

/** Ports that are in the same subsets, and so have the same addresses. */
interface PortGroup {
  readonly ports: Port[]
  readonly members: readonly number[]
}

interface Place {
  readonly address: Frozen<EndpointAddress>
  readonly ready: boolean
  /** The rank of the address among all addresses. */
  readonly rank: number
}

interface Packed {
  readonly ports: Port[]
  readonly places: readonly Place[]
}

/**
 * The same endpoints in canonical form: ports with the same addresses share a subset, and everything is sorted. An
 * address that is both ready and not ready counts as not ready.
 */
export function repack(subsets: Subsets): Repacked {
  const bySubset = placesOf(subsets)
  const packed = new Map<string, Packed>()
  let left = placesMax
  let leftOut = 0
  for (const { ports, members } of portGroups(subsets)) {
    const size = members.reduce((sum, member) => sum + (bySubset[member]?.length ?? 0), 0)
    if (size > left) {
      leftOut += size
      continue
    }
    left -= size
    const places = merged(members.map((member) => bySubset[member] ?? []))
    // Addresses without ports are never grouped with addresses with ports.
    const key = `${isWithoutPorts({ ports })} ${places.map(({ rank, ready }) => (ready ? rank : `-${rank}`)).join()}`
    const group = packed.get(key) ?? { ports: [], places }
    packed.set(key, group)
    appendAll(group.ports, ports)
  }
  return { subsets: [...packed.values()].sort(inOrder).map(subsetOf), leftOut }
}

/** The places of each subset. */
function placesOf(subsets: Subsets): readonly (readonly Place[])[] {
  const keyOf = ({ ip, targetRef }: Frozen<EndpointAddress>): string => JSON.stringify([ip, targetRef?.uid ?? ''])
  const all = subsets.map(({ addresses = [], notReadyAddresses = [] }) => [
    ...addresses.map((address) => ({ address, ready: true, key: keyOf(address) })),
    ...notReadyAddresses.map((address) => ({ address, ready: false, key: keyOf(address) })),
  ])
  const keys = [...new Set(all.flatMap((each) => each.map(({ key }) => key)))].sort(compare)
  const ranks = new Map(keys.map((key, rank) => [key, rank]))
  return all.map((each) => each.map(({ address, ready, key }) => ({ address, ready, rank: ranks.get(key) ?? 0 })))
}

function portGroups(subsets: Subsets): Iterable<PortGroup> {
  const byPort = new Map<string, Port & { readonly members: number[] }>()
  for (const [member, { addresses = [], notReadyAddresses = [], ports = [] }] of subsets.entries()) {
    if (addresses.length + notReadyAddresses.length === 0) continue
    for (const port of ports.length === 0 ? [undefined] : ports) {
      const key = keyOfPort(port)
      const known = byPort.get(key) ?? { key, port, members: [] }
      byPort.set(key, known)
      if (known.members.at(-1) !== member) known.members.push(member)
    }
  }
  const groups = new Map<string, PortGroup>()
  for (const { key, port, members } of [...byPort.values()].sort((one, other) => compare(one.key, other.key))) {
    const together = `${port === undefined} ${members.join()}`
    const group = groups.get(together) ?? { ports: [], members }
    groups.set(together, group)
    group.ports.push({ key, port })
  }
  return groups.values()
}

function keyOfPort(port: Frozen<EndpointPort> | undefined): string {
  return port ? JSON.stringify([port.name ?? '', port.port, port.protocol ?? 'TCP', port.appProtocol ?? '']) : ''
}

function merged(lists: readonly (readonly Place[])[]): readonly Place[] {
  const byRank = new Map<number, Place>()
  for (const list of lists)
    for (const place of list) if (!place.ready || !byRank.has(place.rank)) byRank.set(place.rank, place)
  return [...byRank.values()].sort((one, other) => one.rank - other.rank)
}

/** Sorts by addresses; subsets without ports come last. */
function inOrder(one: Packed, other: Packed): number {
  const byPorts = Number(isWithoutPorts(one)) - Number(isWithoutPorts(other))
  if (byPorts !== 0) return byPorts
  for (const [index, { rank, ready }] of one.places.entries()) {
    const against = other.places[index]
    if (!against) return -1
    const difference = rank - against.rank || Number(ready) - Number(against.ready)
    if (difference !== 0) return difference
  }
  return 1
}

function isWithoutPorts({ ports }: Pick<PortGroup, 'ports'>): boolean {
  return ports[0]?.port === undefined
}

function subsetOf({ ports, places }: Packed): EndpointSubset {
  const of = (wanted: boolean) => places.filter(({ ready }) => ready === wanted).map(({ address }) => address)
  const sorted = ports.toSorted((one, other) => compare(one.key, other.key)).map(({ port }) => port)
  return withAddresses(
    sorted.filter((port) => port !== undefined),
    of(true),
    of(false),
  )
}

function withAddresses(
  ports: Frozen<EndpointPort[]>,
  addresses: Frozen<EndpointAddress[]>,
  notReadyAddresses: Frozen<EndpointAddress[]>,
): EndpointSubset {
  const subset: Frozen<EndpointSubset> = {
    addresses: addresses.length === 0 ? undefined : addresses,
    notReadyAddresses: notReadyAddresses.length === 0 ? undefined : notReadyAddresses,
    ports: ports.length === 0 ? undefined : ports,
  }
  return subset as EndpointSubset
}

/**
 * Reduces the addresses to the maximum, ready ones first, in proportion to the subsets. Undefined: they are not more.
 */
export function truncate(subsets: Subsets, addressesMax: number): EndpointSubset[] | undefined {
  const count = (of: 'addresses' | 'notReadyAddresses'): number =>
    subsets.reduce((sum, subset) => sum + (subset[of]?.length ?? 0), 0)
  const ready = count('addresses')
  const unready = count('notReadyAddresses')
  if (ready + unready <= addressesMax) return undefined
  const takeReady = taker(ready, addressesMax)
  const takeUnready = taker(unready, Math.max(0, addressesMax - ready))
  return subsets
    .map(({ addresses = [], notReadyAddresses = [], ports = [] }) =>
      withAddresses(ports, takeReady(addresses), takeUnready(notReadyAddresses)),
    )
    .filter(({ addresses, notReadyAddresses }) => addresses !== undefined || notReadyAddresses !== undefined)
}

function taker(total: number, max: number): (addresses: Frozen<EndpointAddress[]>) => Frozen<EndpointAddress[]> {
  let left = Math.min(total, max)
  return (addresses) => {
    const share = total <= max ? addresses.length : Math.ceil((addresses.length * max) / total)
    const taken = addresses.slice(0, Math.min(share, left))
    left -= taken.length
    return taken
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
