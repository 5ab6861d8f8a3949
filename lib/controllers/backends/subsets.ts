import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../../api/gen/core/v1.ts'
import type { Frozen } from '../../object/index.ts'

type Subsets = readonly Frozen<EndpointSubset>[]

interface Reached {
  readonly address: Frozen<EndpointAddress>
  readonly ready: boolean
}

interface PortGroup {
  readonly port: Frozen<EndpointPort> | undefined
  readonly reached: Map<string, Reached>
}

/**
 * The same endpoints in the one form that can be compared: ports with the same addresses share a subset, and everything
 * is in order. An address that is both ready and not is not.
 */
export function repack(subsets: Subsets): EndpointSubset[] {
  const packed = new Map<string, { readonly ports: Frozen<EndpointPort>[]; readonly reached: readonly Reached[] }>()
  const ordered = [...byPort(subsets)].toSorted(([one], [other]) => compare(one, other))
  for (const [, { port, reached }] of ordered) {
    const all = [...reached].toSorted(([one], [other]) => compare(one, other))
    // Addresses without ports are never grouped with addresses that have some.
    const key = JSON.stringify([port === undefined, all.map(([address, { ready }]) => [address, ready])])
    const group = packed.get(key) ?? { ports: [], reached: all.map(([, each]) => each) }
    packed.set(key, group)
    if (port) group.ports.push(port)
  }
  return [...packed].toSorted(([one], [other]) => compare(one, other)).map(([, group]) => subsetOf(group))
}

function byPort(subsets: Subsets): ReadonlyMap<string, PortGroup> {
  const groups = new Map<string, PortGroup>()
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
    if (addresses.length + notReadyAddresses.length === 0) continue
    for (const port of ports.length === 0 ? [undefined] : ports) {
      const key = port
        ? JSON.stringify([port.name ?? '', port.port, port.protocol ?? 'TCP', port.appProtocol ?? ''])
        : ''
      const group = groups.get(key) ?? { port, reached: new Map<string, Reached>() }
      groups.set(key, group)
      for (const address of addresses) note(group, { address, ready: true })
      for (const address of notReadyAddresses) note(group, { address, ready: false })
    }
  }
  return groups
}

function note({ reached }: PortGroup, each: Reached): void {
  const key = JSON.stringify([each.address.ip, each.address.targetRef?.uid ?? ''])
  if (each.ready && reached.has(key)) return
  reached.set(key, each)
}

function subsetOf({
  ports,
  reached,
}: {
  readonly ports: Frozen<EndpointPort>[]
  readonly reached: readonly Reached[]
}): EndpointSubset {
  const of = (wanted: boolean) => reached.filter(({ ready }) => ready === wanted).map(({ address }) => address)
  return withAddresses(ports, of(true), of(false))
}

function withAddresses(
  ports: Frozen<EndpointPort[]>,
  addresses: Frozen<EndpointAddress[]>,
  notReadyAddresses: Frozen<EndpointAddress[]>,
): EndpointSubset {
  const subset: Frozen<EndpointSubset> = {
    ...(addresses.length === 0 ? {} : { addresses }),
    ...(notReadyAddresses.length === 0 ? {} : { notReadyAddresses }),
    ...(ports.length === 0 ? {} : { ports }),
  }
  return subset as EndpointSubset
}

/** At most that many addresses, ready ones first, each subset with its share. Undefined: they are no more. */
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
