import { type ControllerContext, joinKey, keyOf } from '../controller/index.ts'
import { readinessOf } from './dra/bindingconditions.ts'
import { deallocate, deleteClaim, removeConsumer, storeClaim, writeReservations } from './dra/perform.ts'
import type { DeviceState, Reservation } from './dra/state.ts'
import type { Listers } from './listers.ts'
import type { NodeInfo } from './nodeinfo.ts'
import { askForVolumes, bind } from './perform.ts'
import type { PodInfo } from './podinfo.ts'
import type { Profile } from './profile.ts'
import { claimNames, claimsOf, planClaims } from './volumes.ts'
import { createWait } from './waiting.ts'

interface BindingOptions {
  readonly node: NodeInfo
  readonly profile: Profile
  /** The claims for devices that the pod needs. */
  readonly reservations: readonly Reservation[]
  readonly performer: Parameters<typeof bind>[2]
}

/** Binds a pod to its node, after its volumes and devices are there. Rejects where that fails. */
export function createBinding(
  context: ControllerContext,
  { claims, volumes, classes, csiNodes }: Pick<Listers, 'claims' | 'volumes' | 'classes' | 'csiNodes'>,
  devices: DeviceState | undefined,
): (pod: PodInfo, options: BindingOptions) => Promise<void> {
  const untilBound = createWait(context, claims)
  const untilReady = devices && createWait(context, devices.claims)
  const listers = { claims, volumes, classes, csiNodes }

  async function bindVolumes({ pod }: PodInfo, { node, profile, performer }: BindingOptions): Promise<void> {
    const needed = claimsOf(pod, listers)
    if (typeof needed === 'string') throw new Error(needed)
    if (!needed) return
    const plan = planClaims(needed, node, listers)
    if (typeof plan === 'string') throw new Error(plan)
    if (plan.bind.length + plan.provision.length === 0) return
    await askForVolumes(plan, node.name, performer)
    const keys = claimNames(pod).map((name) => joinKey(pod.metadata.namespace ?? '', name))
    await untilBound(() => keys.every((key) => claims.get(key)?.status.phase === 'Bound'), profile.bindTimeoutMs)
  }

  async function bindDevices(
    pod: PodInfo,
    { reservations, profile, performer: { client } }: BindingOptions,
  ): Promise<void> {
    if (reservations.length === 0) return
    await writeReservations(reservations, pod, client)
    const conditional = reservations.filter(({ claim, allocation }) =>
      (allocation ?? claim.status.allocation)?.devices.results?.some((each) => each.bindingConditions?.length),
    )
    if (conditional.length === 0 || !untilReady) return
    const isReady = (): boolean =>
      conditional.every(({ claim }) => {
        const shown = devices.claims.get(keyOf(claim))
        if (!shown?.status.allocation) return false
        const readiness = readinessOf(shown)
        if (typeof readiness === 'object') throw new Error(readiness.failed)
        return readiness === 'ready'
      })
    try {
      await untilReady(isReady, profile.deviceTimeoutMs)
    } catch (error) {
      // Other devices may do.
      const held = conditional.flatMap(({ claim }) => devices.claims.get(keyOf(claim)) ?? [])
      await deallocate(held, client)
      throw error
    }
  }

  /** The reservations with their claims, all of which are stored now. */
  async function storeClaims({ reservations, performer: { client } }: BindingOptions): Promise<readonly Reservation[]> {
    return await Promise.all(
      reservations.map(async (each) => {
        if (!each.mappings) return each
        const claim = await storeClaim(each, client)
        devices?.stored(each, claim)
        return { ...each, claim }
      }),
    )
  }

  /** The pod goes to no node. */
  async function giveBack(pod: PodInfo, { reservations, performer: { client } }: BindingOptions): Promise<void> {
    devices?.release(reservations)
    if (context.signal.aborted) return
    const held = reservations.filter(({ mappings }) => !mappings).map(({ claim }) => claim)
    await removeConsumer(held, pod, client).catch(() => {})
    // One that is not stored has no version. A claim that can't be deleted now is when the pod is tried again.
    for (const { claim, mappings } of reservations)
      if (mappings && claim.metadata.resourceVersion !== undefined) await deleteClaim(claim, client).catch(() => {})
  }

  return async (pod, options) => {
    await named('VolumeBinding', bindVolumes(pod, options))
    let held = options
    try {
      held = { ...options, reservations: await named('DynamicResources', storeClaims(options)) }
      await named('DynamicResources', bindDevices(pod, held))
      await bind(pod.pod, options.node.name, options.performer)
    } catch (error) {
      await giveBack(pod, held)
      throw error
    }
  }
}

/** Errors name the step in stock words. */
async function named<Result>(plugin: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const known = plugin === 'VolumeBinding' ? `binding volumes: ${reason}` : reason
    throw new Error(`running PreBind plugin "${plugin}": ${known}`, { cause: error })
  }
}
