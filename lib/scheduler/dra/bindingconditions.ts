import type { Claim } from './contract.ts'

/** Whether the devices of a claim are ready for the pod: those with conditions have to be prepared first. */
export type DeviceReadiness = 'ready' | 'waiting' | { readonly failed: string }

export function readinessOf({ status }: Claim): DeviceReadiness {
  let isReady = true
  for (const result of status.allocation?.devices.results ?? []) {
    const { driver, pool, device, bindingConditions = [], bindingFailureConditions = [] } = result
    if (bindingConditions.length === 0) continue
    const own = status.devices?.find(
      (each) =>
        each.driver === driver && each.pool === pool && each.device === device && each.shareID === result.shareID,
    )
    const isTrue = (type: string): boolean =>
      own?.conditions?.some((each) => each.type === type && each.status === 'True') === true
    const failure = bindingFailureConditions.find(isTrue)
    if (failure !== undefined)
      return { failed: `device ${driver}/${pool}/${device}: binding failure condition ${failure} is true` }
    if (!bindingConditions.every(isTrue)) isReady = false
  }
  return isReady ? 'ready' : 'waiting'
}
