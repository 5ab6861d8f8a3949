import type { Pod } from '../../../api/gen/core/v1.ts'
import type {
  DeviceTaint,
  DeviceTaintRule,
  DeviceToleration,
  ResourceClaim,
  ResourceSlice,
} from '../../../api/gen/resource.k8s.io/v1beta2.ts'
import { type Frozen, parseTime, secondsToMs } from '../../object/index.ts'
import { usesResourceClaim } from '../shared/usesresourceclaim.ts'

/** One device that is allocated to a claim. */
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

export interface Eviction {
  /** Milliseconds since the epoch. */
  readonly atMs: number
  /** Rules whose taints the pod does not tolerate, or only for a time. */
  readonly rules: ReadonlySet<Frozen<DeviceTaintRule>>
}

/**
 * The eviction of a pod for the taints of its devices; undefined: it may stay. `claims`: the claims that are reserved
 * for it.
 */
export function evictionOf(
  pod: Frozen<Pod>,
  claims: readonly Frozen<ResourceClaim>[],
  devices: Devices,
): Eviction | undefined {
  if ((pod.spec.nodeName ?? '') === '' || pod.metadata.deletionTimestamp !== undefined) return undefined
  const rules = new Set<Frozen<DeviceTaintRule>>()
  let earliest: number | undefined
  for (const claim of claims) {
    if (!usesResourceClaim(pod, claim)) continue
    for (const device of claim.status.allocation?.devices?.results ?? [])
      for (const { taint, rule } of taintsOf(device, devices)) {
        const atMs = dueMs(taint, device.tolerations ?? [])
        if (atMs === undefined) continue
        earliest = Math.min(earliest ?? atMs, atMs)
        if (rule) rules.add(rule)
      }
  }
  return earliest === undefined ? undefined : { atMs: earliest, rules }
}

interface Origin {
  readonly taint: Frozen<DeviceTaint>
  readonly rule?: Frozen<DeviceTaintRule>
}

/** The NoExecute taints of a device: in the newest slices of its pool, and of the rules that select it. */
function taintsOf(allocated: Allocated, { slices, rules }: Devices): Origin[] {
  const { driver, pool, device } = allocated
  const own = newestOf(slices(driver, pool))
    .flatMap(({ spec }) => spec.devices ?? [])
    .filter(({ name }) => name === device)
    .flatMap((each) => each.taints ?? before(each).basic?.taints ?? [])
    .map((taint): Origin => ({ taint }))
  const selecting = Array.from(rules)
    .filter((rule) => selects(rule, allocated))
    .map((rule): Origin => ({ taint: rule.spec.taint, rule }))
  return [...own, ...selecting].filter(({ taint }) => taint.effect === 'NoExecute')
}

/** The slices of one pool's newest generation: older ones are about to be deleted. */
export function newestOf(slices: readonly Frozen<ResourceSlice>[]): Frozen<ResourceSlice>[] {
  const isOlder = (left: Frozen<ResourceSlice>, right: Frozen<ResourceSlice>): boolean =>
    left.spec.pool.generation < right.spec.pool.generation
  // Only compared: a generation beyond 2^53 is a bigint, which can't be mixed with numbers in arithmetic.
  if (slices.length === 0) return []
  const newest = slices.reduce((best, each) => (isOlder(best, each) ? each : best))
  return slices.filter((each) => !isOlder(each, newest))
}

/**
 * A rule without a selector selects nothing. Nor does one with a class or expressions, as 1.33 and 1.34 allow: they
 * are not evaluated here, and without them the rule would select too much.
 */
export function selects({ spec: { deviceSelector } }: Frozen<DeviceTaintRule>, device: Allocated): boolean {
  if (!deviceSelector || asksForMore(deviceSelector)) return false
  return (['driver', 'pool', 'device'] as const).every(
    (field) => deviceSelector[field] === undefined || deviceSelector[field] === device[field],
  )
}

function asksForMore(selector: object): boolean {
  const { deviceClassName, selectors = [] }: { deviceClassName?: string; selectors?: readonly unknown[] } = selector
  return deviceClassName !== undefined || selectors.length > 0
}

/** In v1beta1 the fields of a device are in `basic`. */
function before(device: object): { readonly basic?: { readonly taints?: readonly Frozen<DeviceTaint>[] } } {
  return device
}

/** Undefined: it is tolerated without a limit. */
function dueMs(taint: Frozen<DeviceTaint>, tolerations: readonly Frozen<DeviceToleration>[]): number | undefined {
  const sinceMs = taint.timeAdded === undefined ? 0 : parseTime(taint.timeAdded)
  let tolerated: number | undefined
  for (const toleration of tolerations) {
    if (!tolerates(toleration, taint)) continue
    if (toleration.tolerationSeconds === undefined) return undefined
    const own = Math.max(0, secondsToMs(toleration.tolerationSeconds))
    tolerated = Math.min(tolerated ?? own, own)
  }
  return sinceMs + (tolerated ?? 0)
}

/**
 * As the API documents, an empty effect matches every effect. The stock controller evicts pods with such a
 * toleration, although the stock scheduler gives them the device.
 */
function tolerates(
  { key = '', operator = 'Equal', value = '', effect = '' }: Frozen<DeviceToleration>,
  taint: Frozen<DeviceTaint>,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false
  if (key !== '' && key !== taint.key) return false
  return operator === 'Exists' || (key !== '' && value === (taint.value ?? ''))
}
