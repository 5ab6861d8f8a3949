import type { EndpointAddress, Endpoints, EndpointSubset, Pod, Service } from '../../../api/gen/core/v1.ts'
import { deepEqual, type Frozen } from '../../object/index.ts'
import { addressesOf, familyOf, hostnameOf, isHeadless, portOn } from '../backends/backend.ts'
import { triggerAnnotation } from '../backends/triggertimes.ts'
import { isReady } from '../workloads/podstate.ts'
import type { Observed } from './observe.ts'
import { repack, truncate } from '../backends/subsets.ts'

/** Addresses that one object holds. */
const addressesMax = 1000

const capacityAnnotation = 'endpoints.kubernetes.io/over-capacity'
const managerLabel = 'endpoints.kubernetes.io/managed-by'
const headlessLabel = 'service.kubernetes.io/headless'

/** The object to create, or to write over the one that is there; undefined where it is as it should be. */
export function plan(seen: Observed, triggered: string | undefined): Frozen<Endpoints> | undefined {
  const { service, endpoints: known } = seen
  const wanted = repack(seen.pods.flatMap((pod) => subsetsOf(pod, service)))
  const truncated = truncate(wanted, addressesMax)
  const subsets = truncated ?? wanted
  const labels = labelsOf(service)
  const {
    [capacityAnnotation]: capacity,
    [triggerAnnotation]: _triggered,
    ...others
  } = known?.metadata.annotations ?? {}
  const isRight =
    known !== undefined &&
    deepEqual(repack(known.subsets ?? []), repack(subsets)) &&
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

/** One for each port of the service that the pod has. */
function subsetsOf(pod: Frozen<Pod>, service: Frozen<Service>): EndpointSubset[] {
  const address = addressOf(pod, service)
  if (!address) return []
  const isServing = service.spec.publishNotReadyAddresses === true || isReady(pod)
  const reached = isServing ? { addresses: [address] } : { notReadyAddresses: [address] }
  const ports = service.spec.ports ?? []
  if (ports.length === 0) return isHeadless(service) ? [reached] : []
  return ports.flatMap((each) => {
    const port = portOn(pod, each)
    if (port === undefined) return []
    const { name, protocol = 'TCP', appProtocol } = each
    const named = name === undefined || name === '' ? {} : { name }
    return [
      { ...reached, ports: [{ ...named, port, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }] },
    ]
  })
}

function addressOf(pod: Frozen<Pod>, service: Frozen<Service>): EndpointAddress | undefined {
  const all = addressesOf(pod)
  const family = service.spec.ipFamilies?.[0] ?? familyOf(service.spec.clusterIP ?? '') ?? familyOf(all[0] ?? '')
  const ip = all.find((address) => familyOf(address) === family)
  if (ip === undefined) return undefined
  const { namespace = '', name = '', uid = '' } = pod.metadata
  const { nodeName } = pod.spec
  const hostname = hostnameOf(pod, service)
  return {
    ip,
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === undefined || nodeName === '' ? {} : { nodeName }),
    targetRef: { kind: 'Pod', namespace, name, uid },
  }
}

function labelsOf(service: Frozen<Service>): Readonly<Record<string, string>> {
  const { [headlessLabel]: _headless, ...labels } = service.metadata.labels ?? {}
  const isWithoutAddress = isHeadless(service) || (service.spec.clusterIP ?? '') === ''
  return { ...labels, [managerLabel]: 'endpoint-controller', ...(isWithoutAddress ? { [headlessLabel]: '' } : {}) }
}
