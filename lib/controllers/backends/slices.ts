import type { EndpointPort } from '../../../api/gen/discovery.k8s.io/v1.ts'
import type { Frozen } from '../../object/index.ts'

export const serviceLabel = 'kubernetes.io/service-name'
export const managerLabel = 'endpointslice.kubernetes.io/managed-by'
export const headlessLabel = 'service.kubernetes.io/headless'

/** The same for the same ports in any order. */
export function keyOfPorts(ports: Frozen<EndpointPort[]>): string {
  const parts = ports.map(({ name = '', protocol = 'TCP', port = 0, appProtocol = '' }) =>
    JSON.stringify([name, protocol, port, appProtocol]),
  )
  return parts.sort().join()
}
