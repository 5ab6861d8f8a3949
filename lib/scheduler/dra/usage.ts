import type { AllocationResult } from '../../../api/gen/resource.k8s.io/v1.ts'
import { type Frozen, quantityMilliValue } from '../../object/index.ts'
import type { DeviceSnapshot } from './contract.ts'
import { type DeviceInfo, deviceId, type PoolInfo } from './deviceindex.ts'

/** The devices that claims have. Administrative access takes nothing from others. */
export interface DeviceUsage {
  /** Devices that claims have to themselves. */
  readonly taken: ReadonlySet<string>
  /** The consumed amounts of devices that several claims share, in thousandths, by capacity. */
  readonly consumed: ReadonlyMap<string, ReadonlyMap<string, bigint>>
  /** Shared counters that are left in a pool, in thousandths. */
  countersLeft(pool: PoolInfo): ReadonlyMap<string, bigint>
}

export function usageOf({ claims, pending, index }: DeviceSnapshot): DeviceUsage {
  const taken = new Set<string>()
  const consumed = new Map<string, Map<string, bigint>>()
  const add = ({ devices }: Frozen<AllocationResult>): void => {
    for (const { driver, pool, device, adminAccess, shareID, consumedCapacity = {} } of devices.results ?? []) {
      if (adminAccess === true) continue
      const id = deviceId(driver, pool, device)
      if (shareID === undefined) {
        taken.add(id)
        continue
      }
      const sums = consumed.get(id) ?? new Map<string, bigint>()
      consumed.set(id, sums)
      for (const [name, amount] of Object.entries(consumedCapacity))
        sums.set(name, (sums.get(name) ?? 0n) + quantityMilliValue(amount))
    }
  }
  for (const { status } of claims.all()) if (status.allocation) add(status.allocation)
  for (const [key, allocation] of pending) if (!claims.get(key)?.status.allocation) add(allocation)
  const devices = index()
  const used = [...taken, ...consumed.keys()].flatMap((id) => devices.device(id) ?? [])
  const left = new Map<PoolInfo, Map<string, bigint>>()
  return {
    taken,
    consumed,
    countersLeft(pool) {
      const known = left.get(pool)
      if (known) return known
      const counters = new Map(pool.counters)
      for (const device of used) if (device.pool === pool) addCounters(counters, device, -1n)
      left.set(pool, counters)
      return counters
    },
  }
}

/** Adds what the device consumes of its pool's counters, or takes it away. */
export function addCounters(counters: Map<string, bigint>, { device }: DeviceInfo, sign: 1n | -1n): void {
  for (const { counterSet, counters: own = {} } of device.consumesCounters ?? [])
    for (const [name, { value }] of Object.entries(own)) {
      const key = `${counterSet}/${name}`
      counters.set(key, (counters.get(key) ?? 0n) + sign * quantityMilliValue(value))
    }
}
