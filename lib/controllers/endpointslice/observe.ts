import type { Node, Pod, Service } from '../../../api/gen/core/v1.ts'
import type { EndpointSlice } from '../../../api/gen/discovery.k8s.io/v1.ts'
import type { Lister } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { slicesOf } from '../shared/endpointslices.ts'
import { isReachable } from '../shared/podaddresses.ts'
import { podsOf, selectsPods } from '../shared/serviceselector.ts'

export const manager = 'endpointslice-controller.k8s.io'

/** One service and its objects, as the informers show them. */
export interface Observed {
  readonly service: Frozen<Service>
  /** This controller's slices that are not being deleted. */
  readonly slices: readonly Frozen<EndpointSlice>[]
  readonly pods: readonly Frozen<Pod>[]
  /** Zones of known nodes; '' for a node without one. */
  readonly zones: ReadonlyMap<string, string>
}

interface Listers {
  readonly services: Lister<Service>
  readonly slices: Lister<EndpointSlice>
  readonly pods: Lister<Pod>
  readonly nodes: Lister<Node>
}

const ofService = slicesOf(manager)
export const { serviceKeyOf } = ofService

/** Undefined for a service that does not exist or has no selector. */
export function observe({ services, slices, pods, nodes }: Listers, key: string): Observed | undefined {
  const service = services.get(key)
  if (!service || !selectsPods(service)) return undefined
  const own = slices.by(ofService.byService, key).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const backends: Frozen<Pod>[] = []
  const zones = new Map<string, string>()
  for (const pod of podsOf(service, pods)) {
    if (!isReachable(pod)) continue
    backends.push(pod)
    const node = nodes.get(pod.spec.nodeName ?? '')
    if (node) zones.set(node.metadata.name ?? '', node.metadata.labels?.['topology.kubernetes.io/zone'] ?? '')
  }
  return { service, slices: own, pods: backends, zones }
}
