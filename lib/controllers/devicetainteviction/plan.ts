import type { Pod } from '../../../api/gen/core/v1.ts'
import type {
  DeviceTaint,
  DeviceTaintRule,
  DeviceToleration,
  ResourceClaim,
  ResourceSlice,
} from '../../../api/gen/resource.k8s.io/v1beta2.ts'
import { type Frozen, parseTime } from '../../object/index.ts'

/** One device that a claim has. */
interface Allocated {
  readonly driver: string
  readonly pool: string
  readonly device: string
  readonly tolerations?: readonly Frozen<DeviceToleration>[] | undefined
}

export interface Devices {
  /** Slices of a driver's pool. */
  slices(driver: string, pool: string): readonly Frozen<ResourceSlice>[]
  readonly rules: Iterable<Frozen<DeviceTaintRule>>
}

/**
 * When a pod has to go for the taints of its devices, in milliseconds since the epoch; undefined: it may stay. `claims`:
 * those of its namespace that are reserved for it.
 */
export function evictionMs(
  pod: Frozen<Pod>,
  claims: readonly Frozen<ResourceClaim>[],
  devices: Devices,
): number | undefined {
  if ((pod.spec.nodeName ?? '') === '' || pod.metadata.deletionTimestamp !== undefined) return undefined
  let earliest: number | undefined
  for (const { status } of claims)
    for (const device of status.allocation?.devices?.results ?? [])
      for (const taint of taintsOf(device, devices)) {
        const atMs = dueMs(taint, device.tolerations ?? [])
        if (atMs !== undefined) earliest = Math.min(earliest ?? atMs, atMs)
      }
  return earliest
}

/** Those that end pods: of the device in the newest slices of its pool, and of the rules that select it. */
function taintsOf(allocated: Allocated, { slices, rules }: Devices): Frozen<DeviceTaint>[] {
  const { driver, pool, device } = allocated
  const known = slices(driver, pool)
  const newest = Math.max(...known.map(({ spec }) => spec.pool.generation))
  const own = known
    .filter(({ spec }) => spec.pool.generation === newest)
    .flatMap(({ spec }) => spec.devices ?? [])
    .filter(({ name }) => name === device)
    .flatMap((each) => each.taints ?? before(each).basic?.taints ?? [])
  const selecting = Array.from(rules).filter(({ spec: { deviceSelector } }) => {
    if (!deviceSelector) return false
    return (['driver', 'pool', 'device'] as const).every(
      (field) => deviceSelector[field] === undefined || deviceSelector[field] === allocated[field],
    )
  })
  return [...own, ...selecting.map(({ spec }) => spec.taint)].filter(({ effect }) => effect === 'NoExecute')
}

/** In v1beta1 the fields of a device stand in `basic`. */
function before(device: object): { readonly basic?: { readonly taints?: readonly Frozen<DeviceTaint>[] } } {
  return device
}

/** Undefined: it is tolerated for good. */
function dueMs(taint: Frozen<DeviceTaint>, tolerations: readonly Frozen<DeviceToleration>[]): number | undefined {
  const sinceMs = taint.timeAdded === undefined ? 0 : parseTime(taint.timeAdded)
  let seconds: number | undefined
  for (const toleration of tolerations) {
    if (!tolerates(toleration, taint)) continue
    if (toleration.tolerationSeconds === undefined) return undefined
    const own = Math.max(0, toleration.tolerationSeconds)
    seconds = Math.min(seconds ?? own, own)
  }
  return sinceMs + (seconds ?? 0) * 1000
}

function tolerates(
  { key = '', operator = 'Equal', value = '', effect = '' }: Frozen<DeviceToleration>,
  taint: Frozen<DeviceTaint>,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false
  if (key !== '' && key !== taint.key) return false
  return operator === 'Exists' || (key !== '' && value === (taint.value ?? ''))
}
