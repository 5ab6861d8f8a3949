import type { Pod, Service } from '../../../api/gen/core/v1.ts'
import { type Frozen, type IpFamily, parseIp } from '../../object/index.ts'
import { isTerminal } from '../workloads/podstate.ts'

/** Addresses of a pod; empty before it has any. */
export function addressesOf({ status }: Frozen<Pod>): readonly string[] {
  const all = (status.podIPs ?? []).map(({ ip }) => ip ?? '').filter((ip) => ip !== '')
  if (all.length > 0) return all
  return status.podIP === undefined || status.podIP === '' ? [] : [status.podIP]
}

export function familyOf(address: string): IpFamily | undefined {
  return parseIp(address)?.family
}

/** It can be reached at all: it has an address and is not over. It may be terminating. */
export function isReachable(pod: Frozen<Pod>): boolean {
  return !isTerminal(pod) && addressesOf(pod).length > 0
}

/** Its pods are looked for by a selector. */
export function selectsPods({ spec }: Frozen<Service>): boolean {
  return spec.type !== 'ExternalName' && spec.selector !== undefined && Object.keys(spec.selector).length > 0
}

export function isHeadless({ spec }: Frozen<Service>): boolean {
  return spec.clusterIP === 'None'
}

export function matchesSelector({ spec }: Frozen<Service>, { metadata }: Frozen<Pod>): boolean {
  return Object.entries(spec.selector ?? {}).every(([key, value]) => metadata.labels?.[key] === value)
}

/** Name of the pod's own record below the service's. */
export function hostnameOf(pod: Frozen<Pod>, service: Frozen<Service>): string | undefined {
  const { hostname = '', subdomain } = pod.spec
  const isOwn = hostname !== '' && subdomain === service.metadata.name
  return isOwn && pod.metadata.namespace === service.metadata.namespace ? hostname : undefined
}
