import type { EndpointPort, EndpointSlice } from '../../../api/gen/discovery.k8s.io/v1.ts'
import { type Index, joinKey } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'

export const serviceLabel = 'kubernetes.io/service-name'
export const managerLabel = 'endpointslice.kubernetes.io/managed-by'
export const headlessLabel = 'service.kubernetes.io/headless'

/** Equal for the same ports in any order. */
export function keyOfPorts(ports: Frozen<EndpointPort[]>): string {
  const parts = ports.map(({ name = '', protocol = 'TCP', port = 0, appProtocol = '' }) =>
    JSON.stringify([name, protocol, port, appProtocol]),
  )
  return parts.sort().join()
}

/** Finds the slices of one manager by their service. */
export function slicesOf(manager: string): {
  /** Key of the slice's service. */
  serviceKeyOf(slice: Frozen<EndpointSlice>): string | undefined
  readonly byService: Index<EndpointSlice>
} {
  function serviceKeyOf({ metadata }: Frozen<EndpointSlice>): string | undefined {
    const name = metadata.labels?.[serviceLabel]
    if (name === undefined || metadata.labels?.[managerLabel] !== manager) return undefined
    return joinKey(metadata.namespace ?? '', name)
  }
  return {
    serviceKeyOf,
    byService: {
      values(slice) {
        const key = serviceKeyOf(slice)
        return key === undefined ? [] : [key]
      },
    },
  }
}
