import type { Pod } from '../../../api/gen/core/v1.ts'
import type { Frozen } from '../../object/index.ts'
import { isTerminal } from './podstate.ts'

/** Addresses of a pod; empty before it has any. */
export function addressesOf({ status }: Frozen<Pod>): readonly string[] {
  const all = (status.podIPs ?? []).map(({ ip }) => ip ?? '').filter((ip) => ip !== '')
  if (all.length > 0) return all
  return status.podIP === undefined || status.podIP === '' ? [] : [status.podIP]
}

/** The pod has an address and has not finished. It may be terminating. */
export function isReachable(pod: Frozen<Pod>): boolean {
  return !isTerminal(pod) && addressesOf(pod).length > 0
}
