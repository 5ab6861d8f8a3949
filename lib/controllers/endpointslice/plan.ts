import type { Endpoint, EndpointPort, EndpointSlice } from '../../../api/gen/discovery.k8s.io/v1.ts'
import { controllerReference, isControlledBy } from '../../controller/index.ts'
import { deepEqual, type Frozen } from '../../object/index.ts'
import { headlessLabel, keyOfPorts, managerLabel, serviceLabel } from '../shared/endpointslices.ts'
import { isHeadless } from '../shared/headless.ts'
import { type PodPort, podPortsOf } from '../shared/podports.ts'
import { triggerAnnotation } from '../shared/triggertimes.ts'
import { endpointOf, familiesOf, identityOf, portsOf } from './endpoint.ts'
import { manager, type Observed } from './observe.ts'
import { type Group, type Packed, pack } from './pack.ts'
import { allocateHints, type CpuShares, isTopologyAware } from './topology.ts'

export interface Plan {
  readonly create: readonly Frozen<EndpointSlice>[]
  readonly update: readonly Frozen<EndpointSlice>[]
  readonly delete: readonly Frozen<EndpointSlice>[]
  /** Events about hints. */
  readonly events: readonly HintEvent[]
  /** Pods that are left out for now because their nodes are unknown. */
  readonly waiting: Observed['pods']
}

export interface HintEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: 'TopologyAwareHintsEnabled' | 'TopologyAwareHintsDisabled'
  readonly message: string
}

interface PlanOptions {
  readonly endpointsMax: number
  /** The time of the change that caused this plan. */
  readonly triggered: string | undefined
  /** Shares of zones in the CPU of nodes; used for services with topology-aware routing. */
  shares(): CpuShares
}

/** Brings the slices of a service up to date with few and small writes. */
export function plan(seen: Observed, { endpointsMax, triggered, shares }: PlanOptions): Plan {
  const families = familiesOf(seen.service)
  const { pods, waiting } = placed(seen)
  const create: Frozen<EndpointSlice>[] = []
  const update: Frozen<EndpointSlice>[] = []
  const events: HintEvent[] = []
  const gone = seen.slices.filter(({ addressType }) => !families.includes(addressType))
  const isDeleting = seen.service.metadata.deletionTimestamp !== undefined
  const labels = labelsOf(seen)
  // Slices that a deletion with Orphan has released are not adopted again.
  const isStale = (slice: Frozen<EndpointSlice>): boolean =>
    !deepEqual(slice.metadata.labels ?? {}, labels) || (!isDeleting && !isControlledBy(slice, seen.service))
  for (const family of families) {
    const own = seen.slices.filter(({ addressType }) => addressType === family)
    const groups = hinted(groupsOf({ ...seen, pods }, family), own, seen, { family, shares, events })
    const packed = pack(own, groups, { endpointsMax, isStale })
    for (const each of packed.write) {
      if (each.slice) update.push(written(each, each.slice, seen, triggered))
      else if (!isDeleting) create.push(written(each, made(seen, family), seen, triggered))
    }
    gone.push(...packed.delete)
  }
  return { create, update, delete: gone, events, waiting }
}

function placed({ pods, zones, service }: Observed): Pick<Observed, 'pods'> & Pick<Plan, 'waiting'> {
  if (service.spec.publishNotReadyAddresses === true) return { pods, waiting: [] }
  const isPlaced = ({ spec }: Observed['pods'][number]): boolean =>
    spec.nodeName === undefined || spec.nodeName === '' || zones.has(spec.nodeName)
  return { pods: pods.filter(isPlaced), waiting: pods.filter((pod) => !isPlaced(pod)) }
}

/** The endpoints of one family, grouped by their ports; one empty group where there are none. */
function groupsOf({ pods, service, zones }: Observed, family: string): ReadonlyMap<string, Group> {
  const groups = new Map<string, { ports: EndpointPort[]; endpoints: Endpoint[] }>()
  const groupOf = (podPorts: readonly PodPort[]) => {
    const ports = portsOf(podPorts)
    const key = keyOfPorts(ports)
    const group = groups.get(key) ?? { ports, endpoints: [] }
    groups.set(key, group)
    return group
  }
  const portsOn = podPortsOf(service)
  const byList = new Map<readonly PodPort[], ReturnType<typeof groupOf>>()
  for (const pod of pods) {
    const endpoint = endpointOf(pod, service, family, zones.get(pod.spec.nodeName ?? ''))
    if (!endpoint) continue
    const list = portsOn(pod)
    const group = byList.get(list) ?? groupOf(list)
    byList.set(list, group)
    group.endpoints.push(endpoint)
  }
  return groups.size > 0 ? groups : new Map([['', { ports: [], endpoints: [] }]])
}

/** The groups with hints by the CPU of zones, if the service requests them. */
function hinted(
  groups: ReadonlyMap<string, Group>,
  own: readonly Frozen<EndpointSlice>[],
  { service }: Observed,
  { family, shares, events }: { family: string; shares(): CpuShares; events: HintEvent[] },
): ReadonlyMap<string, Group> {
  const known = knownHints(own)
  const tell = (type: HintEvent['type'], reason: HintEvent['reason'], text: string): void =>
    void events.push({ type, reason, message: `${text}, addressType: ${family}` })
  if (!isTopologyAware(service)) {
    if (known.size > 0 && service.spec.trafficDistribution === undefined)
      tell('Warning', 'TopologyAwareHintsDisabled', 'Topology Aware Hints has been disabled')
    return groups
  }
  const all = [...groups.values()].flatMap(({ endpoints }) => endpoints)
  const hints = allocateHints(
    all.filter(({ conditions }) => conditions?.ready === true),
    known,
    shares(),
  )
  if ('why' in hints) tell('Warning', 'TopologyAwareHintsDisabled', hints.why)
  else if (known.size === 0) tell('Normal', 'TopologyAwareHintsEnabled', 'Topology Aware Hints has been enabled')
  const withHint = ({ hints: _none, ...endpoint }: Frozen<Endpoint>): Frozen<Endpoint> => {
    const zone = 'why' in hints ? undefined : hints.zones.get(identityOf(endpoint))
    return zone === undefined ? endpoint : { ...endpoint, hints: { forZones: [{ name: zone }] } }
  }
  return new Map(Array.from(groups, ([key, group]) => [key, { ...group, endpoints: group.endpoints.map(withHint) }]))
}

function knownHints(slices: readonly Frozen<EndpointSlice>[]): ReadonlyMap<string, string> {
  const hints = new Map<string, string>()
  for (const { endpoints = [] } of slices)
    for (const endpoint of endpoints) {
      const zone = endpoint.hints?.forZones?.[0]?.name
      if (zone !== undefined) hints.set(identityOf(endpoint), zone)
    }
  return hints
}

function labelsOf({ service }: Observed): Readonly<Record<string, string>> {
  const {
    [serviceLabel]: _service,
    [managerLabel]: _manager,
    [headlessLabel]: _headless,
    ...labels
  } = service.metadata.labels ?? {}
  return {
    ...labels,
    ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
    [serviceLabel]: service.metadata.name ?? '',
    [managerLabel]: manager,
  }
}

function made({ service }: Observed, addressType: string): Frozen<EndpointSlice> {
  const { namespace = '', name = '' } = service.metadata
  const metadata = { namespace, generateName: `${name}-` }
  return { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata, addressType }
}

function written(
  { endpoints, ports }: Packed,
  slice: Frozen<EndpointSlice>,
  seen: Observed,
  triggered: string | undefined,
): Frozen<EndpointSlice> {
  const { [triggerAnnotation]: _before, ...others } = slice.metadata.annotations ?? {}
  const annotations = triggered === undefined ? others : { ...others, [triggerAnnotation]: triggered }
  const isKept = isControlledBy(slice, seen.service) || seen.service.metadata.deletionTimestamp !== undefined
  const ownerReferences = isKept ? slice.metadata.ownerReferences : [controllerReference(seen.service)]
  return {
    ...slice,
    metadata: {
      ...slice.metadata,
      labels: labelsOf(seen),
      annotations,
      ownerReferences,
    },
    endpoints,
    ports,
  }
}
