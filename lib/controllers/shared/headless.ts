import type { Pod, Service } from '../../../api/gen/core/v1.ts'
import type { Frozen } from '../../object/index.ts'

export function isHeadless({ spec }: Frozen<Service>): boolean {
  return spec.clusterIP === 'None'
}

/** The hostname of the pod's DNS record below the service's. */
export function hostnameOf(pod: Frozen<Pod>, service: Frozen<Service>): string | undefined {
  const { hostname = '', subdomain } = pod.spec
  const isOwn = hostname !== '' && subdomain === service.metadata.name
  return isOwn && pod.metadata.namespace === service.metadata.namespace ? hostname : undefined
}
