import type { Endpoint, EndpointPort, EndpointSlice } from '../../../api/gen/discovery.k8s.io/v1.ts'
import { deepEqual, type Frozen } from '../../object/index.ts'
import { keyOfPorts } from '../shared/endpointslices.ts'
import { identityOf } from './endpoint.ts'

/** Endpoints that have the same ports. */
export interface Group {
  readonly ports: Frozen<EndpointPort[]>
  readonly endpoints: readonly Frozen<Endpoint>[]
}

/** One slice to be written; without `slice` a new one. */
export interface Packed extends Group {
  readonly slice: Frozen<EndpointSlice> | undefined
}

interface PackOptions {
  readonly endpointsMax: number
  /** The slice must be written whatever its endpoints are. */
  isStale(slice: Frozen<EndpointSlice>): boolean
}

interface Packing {
  readonly write: readonly Packed[]
  readonly delete: readonly Frozen<EndpointSlice>[]
}

interface Box {
  readonly slice: Frozen<EndpointSlice> | undefined
  readonly endpoints: Frozen<Endpoint>[]
}

/**
 * Distributes groups of one family over its slices with few changes: slices that change anyway are filled first, then
 * the fullest other slice with room for the rest, then new slices. Slices are not merged. A slice that would be
 * deleted is reused instead of a new one.
 */
export function pack(
  slices: readonly Frozen<EndpointSlice>[],
  groups: ReadonlyMap<string, Group>,
  options: PackOptions,
): Packing {
  const write: Packed[] = []
  const gone: Frozen<EndpointSlice>[] = []
  const byPorts = Map.groupBy(slices, ({ ports }) => keyOfPorts(ports ?? []))
  for (const [key, known] of byPorts) if (!groups.has(key)) gone.push(...known)
  for (const [key, group] of groups) {
    const packed = packGroup(byPorts.get(key) ?? [], group, options)
    for (const { slice, endpoints } of packed.boxes) write.push({ slice, endpoints, ports: group.ports })
    gone.push(...packed.gone)
  }
  const reused = write.map((each) => (each.slice ? each : { ...each, slice: gone.shift() }))
  return { write: reused, delete: gone }
}

function packGroup(
  slices: readonly Frozen<EndpointSlice>[],
  group: Group,
  { endpointsMax, isStale }: PackOptions,
): { readonly boxes: readonly Box[]; readonly gone: readonly Frozen<EndpointSlice>[] } {
  const missing = new Map(group.endpoints.map((endpoint) => [identityOf(endpoint), endpoint]))
  const isEmpty = missing.size === 0
  const boxes: Box[] = []
  const unchanged: Box[] = []
  const gone: Frozen<EndpointSlice>[] = []
  for (const slice of slices) {
    const before = slice.endpoints ?? []
    const endpoints = takeKnown(before, missing)
    const isKept = isEmpty ? boxes.length + unchanged.length === 0 : endpoints.length > 0
    if (!isKept) gone.push(slice)
    else if (isStale(slice) || !deepEqual(before, endpoints)) boxes.push({ slice, endpoints })
    else unchanged.push({ slice, endpoints })
  }
  const rest = [...missing.values()]
  for (const { endpoints } of boxes.toSorted((one, other) => other.endpoints.length - one.endpoints.length))
    endpoints.push(...rest.splice(0, Math.max(0, endpointsMax - endpoints.length)))
  while (rest.length > 0) boxes.push(boxFor(rest, unchanged, endpointsMax))
  if (isEmpty && boxes.length + unchanged.length === 0) boxes.push({ slice: undefined, endpoints: [] })
  return { boxes, gone }
}

/** The endpoints that stay in a slice, in their present state; they are removed from `missing`. */
function takeKnown(before: Frozen<Endpoint[]>, missing: Map<string, Frozen<Endpoint>>): Frozen<Endpoint>[] {
  const endpoints: Frozen<Endpoint>[] = []
  for (const endpoint of before) {
    const identity = identityOf(endpoint)
    const now = missing.get(identity)
    if (now && missing.delete(identity)) endpoints.push(now)
  }
  return endpoints
}

function boxFor(rest: Frozen<Endpoint>[], unchanged: Box[], endpointsMax: number): Box {
  const fitting = unchanged.filter(({ endpoints }) => endpoints.length + rest.length <= endpointsMax)
  const fullest = fitting.toSorted((one, other) => other.endpoints.length - one.endpoints.length)[0]
  if (!fullest) return { slice: undefined, endpoints: rest.splice(0, endpointsMax) }
  unchanged.splice(unchanged.indexOf(fullest), 1)
  fullest.endpoints.push(...rest.splice(0))
  return fullest
}
