import type { Container, ContainerExtendedResourceRequest, Pod } from '../../../api/gen/core/v1.ts'
import type { DeviceClass, DeviceRequest } from '../../../api/gen/resource.k8s.io/v1.ts'
import type { Lister } from '../../controller/index.ts'
import { type Frozen, quantityValue } from '../../object/index.ts'
import type { NodeInfo } from '../nodeinfo.ts'
import type { PodInfo } from '../podinfo.ts'
import type { Claim, DeviceSnapshot } from './contract.ts'

/** `true`: the scheduler has made the claim for a pod's extended resources. */
const annotation = 'resource.kubernetes.io/extended-resource-claim'
/** Before the name of a class: the resource that it serves whether or not it names one. */
const classPrefix = 'deviceclass.resource.kubernetes.io/'

/** Extended resources of a pod that devices of a node serve. */
export interface ExtendedClaim {
  /** Not stored yet; its name is that of no stored claim. */
  readonly claim: Claim
  /** Which request serves which resource of which container. */
  readonly mappings: readonly ContainerExtendedResourceRequest[]
}

/** The names of classes by the extended resource that they serve: of several, the newest, and then the first by name. */
export function classesByResource(classes: Lister<DeviceClass>): ReadonlyMap<string, string> {
  const byName = new Map<string, string>()
  const inOrder = [...classes.all()].toSorted(
    ({ metadata: left }, { metadata: right }) =>
      (left.creationTimestamp ?? '').localeCompare(right.creationTimestamp ?? '') ||
      (right.name ?? '').localeCompare(left.name ?? ''),
  )
  for (const { metadata, spec } of inOrder) {
    const { name = '' } = metadata
    byName.set(`${classPrefix}${name}`, name)
    if (spec.extendedResourceName !== undefined) byName.set(spec.extendedResourceName, name)
  }
  return byName
}

/** The pod asks for a resource that a class of devices serves somewhere. */
export function wantsExtended(pod: PodInfo, { extendedClasses }: Pick<DeviceSnapshot, 'extendedClasses'>): boolean {
  const classes = extendedClasses()
  return classes.size > 0 && [...pod.requests].some(([name, amount]) => amount > 0 && classes.has(name))
}

/** A claim for extended resources that an earlier attempt has left behind. */
export function leftClaimOf({ metadata }: Frozen<Pod>, { claims }: Pick<DeviceSnapshot, 'claims'>): Claim | undefined {
  for (const claim of claims.all())
    if (
      claim.metadata.annotations?.[annotation] === 'true' &&
      claim.metadata.ownerReferences?.some(({ uid, controller }) => controller === true && uid === metadata.uid)
    )
      return claim
  return undefined
}

/** A node that has a resource itself, by a device plugin, needs no devices for it. */
export function isServedByDevices(
  name: string,
  { allocatable }: NodeInfo,
  { extendedClasses }: Pick<DeviceSnapshot, 'extendedClasses'>,
): boolean {
  return (allocatable.get(name) ?? 0) === 0 && extendedClasses().has(name)
}

/** The claim for the extended resources of a pod on a node; undefined: devices serve none of them there. */
export function extendedClaimOf(
  { pod, requests: amounts }: PodInfo,
  node: NodeInfo,
  devices: Pick<DeviceSnapshot, 'extendedClasses'>,
): ExtendedClaim | undefined {
  const names = [...amounts]
    .filter(([name, amount]) => amount > 0 && isServedByDevices(name, node, devices))
    .map(([name]) => name)
    .toSorted()
  if (names.length === 0) return undefined
  const requests: DeviceRequest[] = []
  const mappings: ContainerExtendedResourceRequest[] = []
  for (const name of names) {
    const found = requestsFor(pod, name, devices.extendedClasses().get(name) ?? '')
    requests.push(...found.requests)
    mappings.push(...found.mappings)
  }
  requests.sort((left, right) => (left.name < right.name ? -1 : 1))
  const { namespace = '', name = '', uid = '' } = pod.metadata
  const claim: Claim = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: {
      namespace,
      // No stored claim has such a name.
      name: `<extended-resources>/${uid}`,
      generateName: `${name}-extended-resources-`,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid, controller: true }],
      annotations: { [annotation]: 'true' },
    },
    spec: { devices: { requests } },
    status: {},
  }
  return { claim, mappings }
}

interface Found {
  readonly requests: readonly DeviceRequest[]
  readonly mappings: readonly ContainerExtendedResourceRequest[]
}

/**
 * The device requests for one extended resource. Containers that run at the same time get devices of their own. An init
 * container that ends before they start uses the devices of later containers. If these are too few, one further request
 * has the missing devices, and all such init containers share it.
 */
function requestsFor({ spec }: Frozen<Pod>, resource: string, className: string): Found {
  const init = spec.initContainers ?? []
  const all = [...init, ...(spec.containers ?? [])]
  const endsEarly = (index: number): boolean => index < init.length && all[index]?.restartPolicy !== 'Always'
  const own = all.map((container, index) =>
    endsEarly(index) ? undefined : requestOf(container, index, resource, className, 0),
  )
  const mappings = own.flatMap((request, index) => (request ? [mappingOf(all[index], resource, request.name)] : []))
  const shared: { readonly container: Frozen<Container>; readonly uses: readonly DeviceRequest[] }[] = []
  let extra: DeviceRequest | undefined
  for (const [index, container] of all.entries()) {
    if (!endsEarly(index)) continue
    const wanted = amountOf(container, resource)
    const uses: DeviceRequest[] = []
    let count = 0
    for (const each of own.slice(index)) {
      if (!each || count >= wanted) continue
      uses.push(each)
      count += each.exactly?.count ?? 0
    }
    const more = requestOf(container, index, resource, className, count)
    if (more && (extra?.exactly?.count ?? 0) < (more.exactly?.count ?? 0)) extra = more
    shared.push({ container, uses: more ? [...uses, more] : uses })
  }
  const isOwn = new Set(own)
  for (const { container, uses } of shared)
    for (const each of uses) {
      const used = isOwn.has(each) ? each : extra
      if (used) mappings.push(mappingOf(container, resource, used.name))
    }
  return { requests: [...(extra ? [extra] : []), ...own.filter((each) => each !== undefined)], mappings }
}

/** `has`: devices that the container has already. Undefined: it needs no more. */
function requestOf(
  container: Frozen<Container>,
  index: number,
  resource: string,
  deviceClassName: string,
  has: number,
): DeviceRequest | undefined {
  const count = amountOf(container, resource) - has
  if (count <= 0) return undefined
  const place = Object.keys(container.resources?.requests ?? {})
    .toSorted()
    .indexOf(resource)
  return {
    name: `container-${index}-request-${place}`,
    exactly: { deviceClassName, allocationMode: 'ExactCount', count },
  }
}

function amountOf({ resources }: Frozen<Container>, resource: string): number {
  const amount = resources?.requests?.[resource]
  return amount === undefined ? 0 : Number(quantityValue(amount))
}

function mappingOf(
  container: Frozen<Container> | undefined,
  resourceName: string,
  requestName: string,
): ContainerExtendedResourceRequest {
  return { containerName: container?.name ?? '', resourceName, requestName }
}
