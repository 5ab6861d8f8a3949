import type { Endpoints, Pod, Service } from '../../../api/gen/core/v1.ts'
import type { Lister } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { isReachable } from '../shared/podaddresses.ts'
import { podsOf, selectsPods } from '../shared/serviceselector.ts'

/** One service that selects pods and its objects, as informers show them. */
export interface Observed {
  readonly service: Frozen<Service>
  readonly endpoints: Frozen<Endpoints> | undefined
  /** Those that can be reached. */
  readonly pods: readonly Frozen<Pod>[]
}

interface Listers {
  readonly services: Lister<Service>
  readonly endpoints: Lister<Endpoints>
  readonly pods: Lister<Pod>
}

/** `gone`: there is no such service; undefined: it selects no pods, and what others keep for it stays. */
export function observe({ services, endpoints, pods }: Listers, key: string): Observed | 'gone' | undefined {
  const service = services.get(key)
  if (!service) return 'gone'
  if (!selectsPods(service)) return undefined
  const isBackend = (pod: Frozen<Pod>): boolean =>
    isReachable(pod) && (pod.metadata.deletionTimestamp === undefined || service.spec.publishNotReadyAddresses === true)
  return { service, endpoints: endpoints.get(key), pods: podsOf(service, pods).filter(isBackend) }
}
