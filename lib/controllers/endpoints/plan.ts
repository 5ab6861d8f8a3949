import type {
  EndpointAddress,
  EndpointPort,
  EndpointSubset,
  Endpoints,
  Pod,
  Service,
} from '../../../api/gen/core/v1.ts'
import { deepEqual, type Frozen, ipFamilyOf } from '../../object/index.ts'
import { repack, truncate } from '../shared/endpointsubsets.ts'
import { hostnameOf, isHeadless } from '../shared/headless.ts'
import { addressesOf } from '../shared/podaddresses.ts'
import { type PodPort, podPortsOf } from '../shared/podports.ts'
import { isReady } from '../shared/podstate.ts'
import { triggerAnnotation } from '../shared/triggertimes.ts'
import type { Observed } from './observe.ts'

/** Maximum number of addresses in one object. */
const addressesMax = 1000

const capacityAnnotation = 'endpoints.kubernetes.io/over-capacity'
const managerLabel = 'endpoints.kubernetes.io/managed-by'
const headlessLabel = 'service.kubernetes.io/headless'

/** The object to create or update; undefined: it needs no change. */
export function plan(seen: Observed, triggered: string | undefined): Frozen<Endpoints> | undefined {
  const { service, endpoints: known } = seen
  const { subsets: wanted, leftOut } = repack(reachedSubsets(seen))
  const truncated = truncate(wanted, addressesMax) ?? (leftOut > 0 ? wanted : undefined)
  const subsets = truncated ?? wanted
  const labels = labelsOf(service)
  const {
    [capacityAnnotation]: capacity,
    [triggerAnnotation]: _triggered,
    ...others
  } = known?.metadata.annotations ?? {}
  const isRight =
    known !== undefined &&
    isSame(known.subsets ?? [], subsets) &&
    deepEqual(known.metadata.labels ?? {}, labels) &&
    (capacity === 'truncated') === (truncated !== undefined)
  if (isRight) return undefined
  const annotations = {
    ...others,
    ...(truncated ? { [capacityAnnotation]: 'truncated' } : {}),
    ...(triggered === undefined ? {} : { [triggerAnnotation]: triggered }),
  }
  const { namespace = '', name = '' } = service.metadata
  const base = known ?? { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace, name } }
  return { ...base, metadata: { ...base.metadata, labels, annotations }, subsets }
}

function isSame(known: Frozen<EndpointSubset[]>, wanted: Frozen<EndpointSubset[]>): boolean {
  const { subsets, leftOut } = repack(known)
  return leftOut === 0 && deepEqual(subsets, repack(wanted).subsets)
}

/** Pods with the same port numbers share a subset. */
function reachedSubsets({ pods, service }: Observed): Frozen<EndpointSubset>[] {
  const portsOn = podPortsOf(service)
  const needsPorts = (service.spec.ports ?? []).length > 0 || !isHeadless(service)
  const subsets = new Map<readonly PodPort[], Required<EndpointSubset>>()
  for (const pod of pods) {
    const address = addressOf(pod, service)
    const list = portsOn(pod)
    if (!address || (list.length === 0 && needsPorts)) continue
    const subset = subsets.get(list) ?? { addresses: [], notReadyAddresses: [], ports: list.map(portOf) }
    subsets.set(list, subset)
    const isServing = service.spec.publishNotReadyAddresses === true || isReady(pod)
    subset[isServing ? 'addresses' : 'notReadyAddresses'].push(address)
  }
  return [...subsets.values()]
}

function portOf({ of: { name = '', protocol = 'TCP', appProtocol }, number }: PodPort): EndpointPort {
  return { name: name || undefined, port: number, protocol, appProtocol }
}

function addressOf(pod: Frozen<Pod>, service: Frozen<Service>): EndpointAddress | undefined {
  const all = addressesOf(pod)
  const family = service.spec.ipFamilies?.[0] ?? ipFamilyOf(service.spec.clusterIP ?? '') ?? ipFamilyOf(all[0] ?? '')
  const ip = all.find((address) => ipFamilyOf(address) === family)
  if (ip === undefined) return undefined
  const { namespace = '', name = '', uid = '' } = pod.metadata
  const { nodeName } = pod.spec
  const hostname = hostnameOf(pod, service)
  return {
    ip,
    hostname,
    nodeName: nodeName || undefined,
    targetRef: { kind: 'Pod', namespace, name, uid },
  }
}

function labelsOf(service: Frozen<Service>): Readonly<Record<string, string>> {
  const { [headlessLabel]: _headless, ...labels } = service.metadata.labels ?? {}
  const isWithoutAddress = isHeadless(service) || (service.spec.clusterIP ?? '') === ''
  return { ...labels, [managerLabel]: 'endpoint-controller', ...(isWithoutAddress ? { [headlessLabel]: '' } : {}) }
}
