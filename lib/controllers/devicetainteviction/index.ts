import { resources } from '../../../api/gen/resources.ts'
import type { DeviceTaintRule, ResourceClaim, ResourceSlice } from '../../../api/gen/resource.k8s.io/v1beta2.ts'
import {
  type ControllerContext,
  type ControllerDefinition,
  discoverTypes,
  type Index,
  joinKey,
  keyOf,
  namespaceOf,
} from '../../controller/index.ts'
import { deepEqual, type Frozen, type ResourceType } from '../../object/index.ts'
import { createTaintEviction } from '../workloads/fortaints.ts'
import { evictionMs } from './plan.ts'

/** The types in the versions that the server serves. */
interface Types {
  readonly claims: ResourceType<ResourceClaim>
  readonly slices: ResourceType<ResourceSlice>
  /** Undefined: it serves none. */
  readonly rules: ResourceType<DeviceTaintRule> | undefined
}

/** Deletes pods whose devices have NoExecute taints that their claims don't tolerate, or not for that long. */
export const devicetainteviction: ControllerDefinition = {
  name: 'device-taint-eviction-controller',
  account: 'device-taint-eviction-controller',
  gates: ['DynamicResourceAllocation', 'DRADeviceTaints'],
  async start(context) {
    const types = await servedTypes(context)
    if (!types) return context.log.info('the server serves no resource slices: no pod is evicted for their taints')
    const pods = context.informer(resources.core.v1.pods)
    const claims = context.informer(types.claims)
    const slices = context.informer(types.slices)
    const rules = types.rules && context.informer(types.rules)
    const eviction = createTaintEviction(context, {
      event: 'DeviceTaintManagerEviction',
      reason: 'DeletionByDeviceTaintManager',
      message: 'Device Taint manager: deleting due to NoExecute taint',
      metrics: 'device_taint_eviction_controller',
      marking: () => 'Marking for deletion',
      cancelling: () => 'Cancelling deletion',
    })
    const waiting = new Map<string, string>()
    const devices = {
      slices: (driver: string, pool: string) => slices.by(slicesByPool, joinKey(driver, pool)),
      get rules() {
        return rules?.all() ?? []
      },
    }
    const queue = context.reconcile({
      name: 'device_taint_eviction',
      workers: 8,
      async turn(key, { client }) {
        const pod = pods.get(key)
        const uid = pod?.metadata.uid ?? ''
        const atMs = pod && evictionMs(pod, claims.by(claimsByPod, uid), devices)
        const nowMs = context.clock.now()
        if (pod && atMs !== undefined && atMs <= nowMs) {
          await eviction.evict(client, pod, (nowMs - atMs) / 1000)
          waiting.delete(key)
        } else if (atMs !== undefined) {
          waiting.set(key, uid)
          return { againAfterMs: atMs - nowMs }
        } else {
          const was = waiting.get(key)
          waiting.delete(key)
          if (pod && was === uid && pod.metadata.deletionTimestamp === undefined) eviction.cancelled(pod)
        }
        return {}
      },
    })
    const queueAll = (some: Iterable<Frozen<ResourceClaim>>): void => {
      for (const claim of some)
        for (const { name } of claim.status.reservedFor ?? []) queue.add(joinKey(namespaceOf(claim), name))
    }
    pods.subscribe(({ object, before }) => {
      if (!object.spec.resourceClaims?.length) return
      if (!before || before.spec.nodeName !== object.spec.nodeName) queue.add(keyOf(object))
    })
    claims.subscribe(({ object, before }) => queueAll(before ? [before, object] : [object]))
    slices.subscribe(({ object, before, deleted }) => {
      if (!deleted && before && deepEqual(before.spec, object.spec)) return
      const { driver, pool } = object.spec
      queueAll(claims.by(claimsByDevicePool, joinKey(driver, pool.name)))
    })
    rules?.subscribe(() => queueAll(claims.all()))
  },
}

/** The fields that matter are the same in all versions, but for those of `basic` in v1beta1: see plan.ts. */
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

const slicesByPool: Index<ResourceSlice> = { values: ({ spec }) => [joinKey(spec.driver, spec.pool.name)] }

const claimsByPod: Index<ResourceClaim> = {
  values: ({ status }) => (status?.reservedFor ?? []).map(({ uid }) => uid),
}

const claimsByDevicePool: Index<ResourceClaim> = {
  values: ({ status }) => [
    ...new Set((status?.allocation?.devices?.results ?? []).map(({ driver, pool }) => joinKey(driver, pool))),
  ],
}
