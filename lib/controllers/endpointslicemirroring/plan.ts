import type { EndpointAddress, EndpointSubset, Endpoints } from '../../../api/gen/core/v1.ts'
import type { Endpoint, EndpointPort, EndpointSlice } from '../../../api/gen/discovery.k8s.io/v1.ts'
import { controllerReference, isControlledBy } from '../../controller/index.ts'
import { deepEqual, type Frozen, type IpFamily, ipFamilyOf } from '../../object/index.ts'
import { keyOfPorts, managerLabel, serviceLabel } from '../shared/endpointslices.ts'
import { repack } from '../shared/endpointsubsets.ts'
import { triggerAnnotation } from '../shared/triggertimes.ts'
import { manager, type Observed } from './observe.ts'

export interface Plan {
  readonly create: readonly Frozen<EndpointSlice>[]
  readonly update: readonly Frozen<EndpointSlice>[]
  readonly delete: readonly Frozen<EndpointSlice>[]
  /** Number of invalid addresses. */
  readonly invalid: number
  /** Number of addresses beyond the limit of a subset. */
  readonly skipped: number
}

const families: readonly IpFamily[] = ['IPv4', 'IPv6']
const appliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'

interface Group {
  readonly addressType: IpFamily
  readonly ports: EndpointPort[]
  readonly endpoints: Endpoint[]
}

/** Plans one slice for each set of ports and each address family. */
export function plan({ endpoints, slices }: Observed, addressesMax: number): Plan {
  if (!endpoints) return { create: [], update: [], delete: slices, invalid: 0, skipped: 0 }
  const { groups, invalid, skipped } = groupsOf(endpoints, addressesMax)
  const rest = Map.groupBy(slices, ({ addressType, ports }) => keyOf(addressType, ports ?? []))
  const create: Frozen<EndpointSlice>[] = []
  const update: Frozen<EndpointSlice>[] = []
  for (const [key, group] of groups) {
    const [first, ...more] = rest.get(key) ?? []
    rest.set(key, more)
    if (!first) create.push(mirrored(group, made(endpoints), endpoints))
    else if (!isSame(first, group, endpoints)) update.push(mirrored(group, first, endpoints))
  }
  return { create, update, delete: [...rest.values()].flat(), invalid, skipped }
}

function groupsOf(
  { subsets = [] }: Frozen<Endpoints>,
  addressesMax: number,
): { groups: ReadonlyMap<string, Group>; invalid: number; skipped: number } {
  const groups = new Map<string, Group>()
  let invalid = 0
  const { subsets: packed, leftOut } = repack(subsets)
  let skipped = leftOut
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of packed) {
    const mapped = ports.map(portOf)
    const groupOf = (addressType: IpFamily): Group => {
      const key = keyOf(addressType, mapped)
      const group = groups.get(key) ?? { addressType, ports: mapped, endpoints: [] }
      groups.set(key, group)
      return group
    }
    const byFamily = new Map<IpFamily, Group>()
    const all = [
      ...addresses.map((address) => ({ address, ready: true })),
      ...notReadyAddresses.map((address) => ({ address, ready: false })),
    ]
    skipped += Math.max(0, all.length - addressesMax)
    for (const { address, ready } of all.slice(0, addressesMax)) {
      const addressType = ipFamilyOf(address.ip)
      if (addressType === undefined) {
        invalid++
        continue
      }
      const group = byFamily.get(addressType) ?? groupOf(addressType)
      byFamily.set(addressType, group)
      group.endpoints.push(endpointOf(address, ready))
    }
  }
  return { groups, invalid, skipped }
}

function keyOf(addressType: string, ports: Frozen<EndpointPort[]>): string {
  return `${families.indexOf(addressType as IpFamily)} ${keyOfPorts(ports)}`
}

function portOf({ name = '', port, protocol = 'TCP', appProtocol }: NonNullable<EndpointSubset['ports']>[number]) {
  return { name, protocol, port, appProtocol }
}

function endpointOf({ ip, hostname, nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    hostname: hostname || undefined,
    targetRef,
    nodeName,
  }
}

function labelsOf({ metadata }: Frozen<Endpoints>): Readonly<Record<string, string>> {
  return { ...metadata.labels, [serviceLabel]: metadata.name ?? '', [managerLabel]: manager }
}

function annotationsOf({ metadata }: Frozen<Endpoints>): Readonly<Record<string, string>> {
  const { [triggerAnnotation]: _triggered, [appliedAnnotation]: _applied, ...others } = metadata.annotations ?? {}
  return others
}

function isSame(slice: Frozen<EndpointSlice>, { endpoints: wanted }: Group, endpoints: Frozen<Endpoints>): boolean {
  return (
    isControlledBy(slice, endpoints) &&
    deepEqual(slice.metadata.labels ?? {}, labelsOf(endpoints)) &&
    deepEqual(slice.metadata.annotations ?? {}, annotationsOf(endpoints)) &&
    deepEqual(slice.endpoints, wanted)
  )
}

function made({ metadata }: Frozen<Endpoints>): Pick<Frozen<EndpointSlice>, 'metadata'> {
  const { namespace = '', name = '' } = metadata
  return { metadata: { namespace, generateName: `${name}-` } }
}

function mirrored(
  { addressType, ports, endpoints: wanted }: Group,
  slice: Pick<Frozen<EndpointSlice>, 'metadata'>,
  endpoints: Frozen<Endpoints>,
): Frozen<EndpointSlice> {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      ...slice.metadata,
      labels: labelsOf(endpoints),
      annotations: annotationsOf(endpoints),
      ownerReferences: [controllerReference(endpoints)],
    },
    addressType,
    endpoints: wanted,
    ports,
  }
}
