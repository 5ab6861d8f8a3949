import type { Node, Service } from '../../../api/gen/core/v1.ts'
import type { Endpoint } from '../../../api/gen/discovery.k8s.io/v1.ts'
import { type Frozen, parseQuantity } from '../../object/index.ts'
import { identityOf } from './endpoint.ts'

/** The share of each zone in the CPU of all ready nodes; undefined: the zone or CPU of a node is unknown. */
export type CpuShares = ReadonlyMap<string, number> | undefined

const zoneLabel = 'topology.kubernetes.io/zone'
const controlPlaneLabels = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master']
/** The load of a zone's endpoints may exceed its share by this much. */
const overload = 0.2

/** The service requests topology-aware routing. */
export function isTopologyAware({ metadata: { annotations = {} } }: Frozen<Service>): boolean {
  const mode =
    annotations['service.kubernetes.io/topology-aware-hints'] ?? annotations['service.kubernetes.io/topology-mode']
  return mode === 'Auto' || mode === 'auto'
}

/** The CPU that a node adds to its zone; undefined: it is not ready, or belongs to the control plane. */
export function shareOf({ metadata, status }: Frozen<Node>): { zone: string; cpu: number } | undefined {
  const labels = metadata.labels ?? {}
  if (controlPlaneLabels.some((label) => Object.hasOwn(labels, label))) return undefined
  if (!status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True')) return undefined
  return { zone: labels[zoneLabel] ?? '', cpu: milliCpu(status.allocatable?.['cpu']) }
}

export function cpuShares(nodes: Iterable<Frozen<Node>>): CpuShares {
  const byZone = new Map<string, number>()
  let total = 0
  for (const node of nodes) {
    const share = shareOf(node)
    if (!share) continue
    const { zone, cpu } = share
    if (zone === '' || cpu === 0) return undefined
    byZone.set(zone, (byZone.get(zone) ?? 0) + cpu)
    total += cpu
  }
  return new Map([...byZone].sort(([a], [b]) => (a < b ? -1 : 1)).map(([zone, cpu]) => [zone, cpu / total]))
}

function milliCpu(text: unknown): number {
  if (typeof text !== 'string') return 0
  const { mantissa, scale } = parseQuantity(text)
  return Number(mantissa) * 10 ** (scale + 3)
}

/** Zones by identities of endpoints; or why there are no hints, in the stock words. */
export type Hints = { readonly zones: ReadonlyMap<string, string> } | { readonly why: string }

interface Allocation {
  readonly desired: number
  readonly maximum: number
}

/**
 * Gives endpoints the hint of their zone; a zone with more endpoints than its share lends some to other zones.
 * Existing hints are kept where possible, which saves writes. `ready`: the serving endpoints.
 */
export function allocateHints(
  ready: readonly Frozen<Endpoint>[],
  known: ReadonlyMap<string, string>,
  shares: CpuShares,
): Hints {
  const allocations = allocate(ready.length, shares)
  if (typeof allocations === 'string') return { why: allocations }
  const counts = new Map<string, number>()
  const count = (zone: string, by: number): void => void counts.set(zone, (counts.get(zone) ?? 0) + by)
  const zones = new Map<string, string>()
  for (const endpoint of ready) {
    const identity = identityOf(endpoint)
    const zone = known.get(identity)
    const allocation = zone === undefined ? undefined : allocations.get(zone)
    if (zone === undefined || !allocation || (counts.get(zone) ?? 0) >= allocation.maximum) continue
    zones.set(identity, zone)
    count(zone, 1)
  }
  const free = ready.filter((endpoint) => !zones.has(identityOf(endpoint)))
  for (const { zone = '' } of free) {
    if (zone === '') return { why: 'One or more endpoints do not have a zone specified' }
    count(zone, 1)
  }
  const lent = lend(free, allocations, counts)
  for (const endpoint of free) {
    const identity = identityOf(endpoint)
    zones.set(identity, lent.get(identity) ?? endpoint.zone ?? '')
  }
  return zones.size === 0 ? { why: 'No hints allocated for zones' } : { zones }
}

function allocate(endpoints: number, shares: CpuShares): ReadonlyMap<string, Allocation> | string {
  if (!shares || shares.size === 0)
    return 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes'
  if (shares.size < 2) return 'Nodes only ready in one zone'
  const numbers = `(${endpoints} endpoints, ${shares.size} zones)`
  if (shares.size > endpoints) return `Insufficient number of endpoints ${numbers}`
  const minimums = new Map<string, number>()
  let spare = endpoints
  for (const [zone, share] of shares) {
    const minimum = Math.ceil((share * endpoints) / (1 + overload))
    minimums.set(zone, minimum)
    spare -= minimum
  }
  if (spare < 0)
    return `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${numbers}`
  return new Map(
    Array.from(minimums, ([zone, minimum]) => {
      const desired = Math.max(minimum, (shares.get(zone) ?? 0) * endpoints)
      return [zone, { desired, maximum: minimum + spare }]
    }),
  )
}

/** Zones by identities of the endpoints that are lent to other zones. */
function lend(
  free: readonly Frozen<Endpoint>[],
  allocations: ReadonlyMap<string, Allocation>,
  counts: ReadonlyMap<string, number>,
): ReadonlyMap<string, string> {
  const surplus = new Map<string, number>()
  const deficit = new Map<string, number>()
  for (const [zone, { desired }] of allocations) {
    const difference = (counts.get(zone) ?? 0) - desired
    if (difference > 0) surplus.set(zone, difference)
    else if (difference < 0) deficit.set(zone, -difference)
  }
  const lent = new Map<string, string>()
  const left = Map.groupBy(free, ({ zone = '' }) => zone)
  for (;;) {
    const from = most(surplus)
    const to = most(deficit)
    if (from === undefined || to === undefined || (surplus.get(from) ?? 0) < 1) return lent
    const endpoint = left.get(from)?.pop()
    if (endpoint) {
      lent.set(identityOf(endpoint), to)
      deficit.set(to, (deficit.get(to) ?? 0) - 1)
    }
    surplus.set(from, endpoint ? (surplus.get(from) ?? 0) - 1 : 0)
  }
}

function most(zones: ReadonlyMap<string, number>): string | undefined {
  let found: string | undefined
  for (const [zone, number] of zones)
    if (number > 0 && (found === undefined || number > (zones.get(found) ?? 0))) found = zone
  return found
}
