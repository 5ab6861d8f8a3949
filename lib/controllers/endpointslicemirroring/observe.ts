import type { Endpoints, Service } from '../../../api/gen/core/v1.ts'
import type { EndpointSlice } from '../../../api/gen/discovery.k8s.io/v1.ts'
import type { Lister } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { slicesOf } from '../shared/endpointslices.ts'

export const manager = 'endpointslicemirroring-controller.k8s.io'
const skipLabel = 'endpointslice.kubernetes.io/skip-mirror'
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader'

/** The Endpoints of one service without a selector, and its mirrored slices. */
export interface Observed {
  /** Undefined: they are not to be mirrored. */
  readonly endpoints: Frozen<Endpoints> | undefined
  readonly slices: readonly Frozen<EndpointSlice>[]
}

interface Listers {
  readonly services: Lister<Service>
  readonly endpoints: Lister<Endpoints>
  readonly slices: Lister<EndpointSlice>
}

const ofService = slicesOf(manager)
export const { byService, serviceKeyOf } = ofService

/** Endpoints that opt out of mirroring, or are used for leader election. */
export function isSkipped({ metadata }: Frozen<Endpoints>): boolean {
  return metadata.labels?.[skipLabel] === 'true' || metadata.annotations?.[leaderAnnotation] !== undefined
}

export function observe({ services, endpoints, slices }: Listers, key: string): Observed {
  const own = slices.by(byService, key).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const [service, known] = [services.get(key), endpoints.get(key)]
  const isMirrored = service !== undefined && service.spec.selector === undefined && known && !isSkipped(known)
  return { endpoints: isMirrored ? known : undefined, slices: own }
}
