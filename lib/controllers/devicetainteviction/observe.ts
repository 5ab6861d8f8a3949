import type { Pod } from '../../../api/gen/core/v1.ts'
import type { DeviceTaintRule, ResourceClaim, ResourceSlice } from '../../../api/gen/resource.k8s.io/v1beta2.ts'
import { type Index, joinKey, type Lister, namespaceOf } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import type { RuleCounts } from './condition.ts'
import { type Devices, type Eviction, evictionOf, newestOf, selects } from './plan.ts'

/** The objects that decide about evictions, as the informers show them. */
export interface Shown {
  readonly pods: Lister<Pod>
  readonly claims: Lister<ResourceClaim>
  readonly slices: Lister<ResourceSlice>
  /** Undefined: the server serves no rules. */
  readonly rules: Lister<DeviceTaintRule> | undefined
}

const slicesByPool: Index<ResourceSlice> = { values: ({ spec }) => [joinKey(spec.driver, spec.pool.name)] }

export const claimsByDevicePool: Index<ResourceClaim> = {
  values: ({ status }) => [
    ...new Set((status?.allocation?.devices?.results ?? []).map(({ driver, pool }) => joinKey(driver, pool))),
  ],
}

const claimsByPod: Index<ResourceClaim> = {
  values: ({ status }) => (status?.reservedFor ?? []).map(({ uid }) => uid),
}

/** The eviction of the pod; undefined: it may stay. */
export function observeEviction({ claims, slices, rules }: Shown, pod: Frozen<Pod>): Eviction | undefined {
  return evictionOf(pod, claims.by(claimsByPod, pod.metadata.uid ?? ''), {
    slices: (driver, pool) => slices.by(slicesByPool, joinKey(driver, pool)),
    rules: rules?.all() ?? [],
  })
}

/** Counts the rule's effects, as if it were NoExecute. */
export function observeRule(shown: Shown, rule: Frozen<DeviceTaintRule>): Omit<RuleCounts, 'evicted'> {
  const { claims, pods } = shown
  // With the rule's taint only: evictions for other reasons don't count.
  const alone: Devices = {
    slices: () => [],
    rules: [{ ...rule, spec: { ...rule.spec, taint: { ...rule.spec.taint, effect: 'NoExecute' } } }],
  }
  const namespaces = new Set<string>()
  const seen = new Set<string>()
  let allocated = 0
  let pending = 0
  for (const claim of claims.all()) {
    const devices = (claim.status?.allocation?.devices?.results ?? []).filter((each) => selects(rule, each)).length
    if (devices === 0) continue
    allocated += devices
    for (const { name, uid } of claim.status.reservedFor ?? []) {
      const pod = pods.get(joinKey(namespaceOf(claim), name))
      if (pod?.metadata.uid !== uid || seen.has(uid)) continue
      seen.add(uid)
      if (!evictionOf(pod, claims.by(claimsByPod, uid), alone)) continue
      pending++
      namespaces.add(namespaceOf(pod))
    }
  }
  return { pods: pending, namespaces: namespaces.size, published: countPublished(shown, rule), allocated }
}

function countPublished({ slices }: Shown, rule: Frozen<DeviceTaintRule>): number {
  let count = 0
  const pools = new Set<string>()
  for (const { spec } of slices.all()) {
    const { driver, pool } = spec
    const key = joinKey(driver, pool.name)
    if (pools.has(key)) continue
    pools.add(key)
    for (const { spec: newest } of newestOf(slices.by(slicesByPool, key)))
      for (const { name } of newest.devices ?? []) if (selects(rule, { driver, pool: pool.name, device: name })) count++
  }
  return count
}
