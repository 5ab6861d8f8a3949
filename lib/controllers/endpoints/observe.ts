import type { Endpoints, Pod, Service } from '../../../api/gen/core/v1.ts'
import type { Lister } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { isReachable } from '../shared/podaddresses.ts'
import { podsOf, selectsPods } from '../shared/serviceselector.ts'

/** One service with a selector and its objects, as the informers show them. */
export interface Observed {
  readonly service: Frozen<Service>
  readonly endpoints: Frozen<Endpoints> | undefined
  /** The reachable pods. */
  readonly pods: readonly Frozen<Pod>[]
}

interface Listers {
  readonly services: Lister<Service>
  readonly endpoints: Lister<Endpoints>
  readonly pods: Lister<Pod>
}

/** `gone`: the service does not exist; undefined: it has no selector, and others maintain its Endpoints. */
export function observe({ services, endpoints, pods }: Listers, key: string): Observed | 'gone' | undefined {
  const service = services.get(key)
  if (!service) return 'gone'
  if (!selectsPods(service)) return undefined
  const isBackend = (pod: Frozen<Pod>): boolean =>
    isReachable(pod) && (pod.metadata.deletionTimestamp === undefined || service.spec.publishNotReadyAddresses === true)
  return { service, endpoints: endpoints.get(key), pods: podsOf(service, pods).filter(isBackend) }
}
