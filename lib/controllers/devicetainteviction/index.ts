import { LRUCache } from 'lru-cache'
import type { Pod } from '../../../api/gen/core/v1.ts'
import type { DeviceTaintRule, ResourceClaim, ResourceSlice } from '../../../api/gen/resource.k8s.io/v1beta2.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import {
  type ControllerContext,
  type ControllerDefinition,
  discoverTypes,
  joinKey,
  keyOf,
  namespaceOf,
  type TurnResult,
} from '../../controller/index.ts'
import { deepEqual, type Frozen, type ResourceType } from '../../object/index.ts'
import { createTaintEviction } from '../shared/tainteviction.ts'
import { claimsByDevicePool, observeEviction, type Shown } from './observe.ts'
import { createRuleStatus, ruleStatusMs } from './rulestatus.ts'

/** Maximum number of remembered evictions. */
const evictedMax = 500

/** The types in the versions that the server serves. */
interface Types {
  readonly claims: ResourceType<ResourceClaim>
  readonly slices: ResourceType<ResourceSlice>
  /** Undefined: it serves none. */
  readonly rules: ResourceType<DeviceTaintRule> | undefined
}

/** Evicts pods whose devices have NoExecute taints that their claims don't tolerate, or no longer tolerate. */
export const devicetainteviction: ControllerDefinition = {
  name: 'device-taint-eviction-controller',
  account: 'device-taint-eviction-controller',
  gates: ['DynamicResourceAllocation', 'DRADeviceTaints'],
  async start(context) {
    const types = await servedTypes(context)
    if (!types) return context.log.info('the server serves no resource slices: no pod is evicted for their taints')
    const rulesType = context.gate('DRADeviceTaintRules') ? types.rules : undefined
    const pods = context.informer(resources.core.v1.pods)
    const claims = context.informer(types.claims)
    const slices = context.informer(types.slices)
    const rules = rulesType && context.informer(rulesType)
    const shown: Shown = { pods, claims, slices, rules }
    const ruleStatus = rulesType && createRuleStatus(context.clock, rulesType, shown)
    const podTurn = createPodTurn(context, shown)
    const queue = context.reconcile({
      name: 'device-taint-eviction-controller',
      workers: context.settings.concurrentDeviceTaintEvictionSyncs,
      async turn(key, { client }) {
        const at = key.indexOf(':')
        const name = key.slice(at + 1)
        if (key.startsWith('rule:')) return ruleStatus && (await ruleStatus.update(name, client))
        const { rules: causes, wentFor, againAfterMs } = await podTurn(name, client)
        for (const rule of wentFor) ruleStatus?.evicted(rule)
        // Delayed, since further pods may follow.
        for (const { metadata } of causes) queue.addAfter(`rule:${metadata.name}`, ruleStatusMs)
        return { againAfterMs }
      },
    })
    const queuePods = (some: Iterable<Frozen<ResourceClaim>>): void => {
      for (const claim of some)
        for (const { name } of claim.status.reservedFor ?? []) queue.add(`pod:${joinKey(namespaceOf(claim), name)}`)
    }
    rules?.subscribe(({ object, before, deleted }) => {
      if (!deleted && before && isSameRule(before, object)) return
      if (deleted) ruleStatus?.forget(object)
      else queue.add(`rule:${object.metadata.name}`)
      queuePods(claims.all())
    })
    pods.subscribe(({ object, before, deleted }) => {
      if (object.spec.resourceClaims?.length && (deleted || !before || !isSamePod(before, object)))
        queue.add(`pod:${keyOf(object)}`)
    })
    claims.subscribe(({ object, before }) => queuePods(before ? [before, object] : [object]))
    slices.subscribe(({ object, before, deleted }) => {
      if (!deleted && before && deepEqual(before.spec, object.spec)) return
      for (const { spec } of before ? [before, object] : [object])
        queuePods(claims.by(claimsByDevicePool, joinKey(spec.driver, spec.pool.name)))
    })
  },
}

/** The fields used here are the same in all versions, except for `basic` in v1beta1: see plan.ts. */
async function servedTypes({ client, signal }: ControllerContext): Promise<Types | undefined> {
  const served = await discoverTypes(client, signal)
  const { v1, v1beta2, v1beta1, v1alpha3 } = resources.resource
  const all = [v1, v1beta2, v1beta1]
  const claims = served.pick(all.map(({ resourceclaims }) => resourceclaims as ResourceType<ResourceClaim>))
  const slices = served.pick(all.map(({ resourceslices }) => resourceslices as ResourceType<ResourceSlice>))
  const rules = served.pick(
    [v1beta2, v1alpha3].map(({ devicetaintrules }) => devicetaintrules as ResourceType<DeviceTaintRule>),
  )
  return claims && slices ? { claims, slices, rules } : undefined
}

function isSameRule(before: Frozen<DeviceTaintRule>, after: Frozen<DeviceTaintRule>): boolean {
  return before.metadata.uid === after.metadata.uid && deepEqual(before.spec, after.spec)
}

/** Ignores all other changes, which are frequent. */
function isSamePod(before: Frozen<Pod>, after: Frozen<Pod>): boolean {
  return (
    before.metadata.uid === after.metadata.uid &&
    before.spec.nodeName === after.spec.nodeName &&
    deepEqual(before.status.resourceClaimStatuses, after.status.resourceClaimStatuses)
  )
}

interface PodResult extends TurnResult {
  /** Rules whose taints the pod does not tolerate. */
  readonly rules: Iterable<Frozen<DeviceTaintRule>>
  /** Those of the rules for which it has just been evicted. */
  readonly wentFor: Iterable<Frozen<DeviceTaintRule>>
}

/** Evicts one pod when it is due. */
function createPodTurn(context: ControllerContext, shown: Shown): (key: string, client: Client) => Promise<PodResult> {
  const eviction = createTaintEviction(context, {
    event: 'DeviceTaintManagerEviction',
    reason: 'DeletionByDeviceTaintManager',
    message: 'Device Taint manager: deleting due to NoExecute taint',
    metrics: 'device_taint_eviction_controller',
    marking: () => 'Marking for deletion',
    cancelling: () => 'Cancelling deletion',
  })
  /** Uids of pods with a later eviction, by key. */
  const waiting = new Map<string, string>()
  /** Uids of evicted pods: informers may lag. */
  const evicted = new LRUCache<string, true>({ max: evictedMax })
  return async (key, client) => {
    const pod = shown.pods.get(key)
    const uid = pod?.metadata.uid ?? ''
    const due = pod && !evicted.has(uid) ? observeEviction(shown, pod) : undefined
    const was = waiting.get(key)
    waiting.delete(key)
    if (!pod || !due) {
      if (pod && was === uid && !evicted.has(uid) && pod.metadata.deletionTimestamp === undefined)
        eviction.cancelled(pod)
      return { rules: [], wentFor: [] }
    }
    const nowMs = context.clock.now()
    if (due.atMs > nowMs) {
      waiting.set(key, uid)
      return { rules: due.rules, wentFor: [], againAfterMs: due.atMs - nowMs }
    }
    const isDone = await eviction.evict(client, pod, (nowMs - due.atMs) / 1000)
    evicted.set(uid, true)
    return { rules: due.rules, wentFor: isDone ? due.rules : [] }
  }
}
