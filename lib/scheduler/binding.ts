import { type ControllerContext, joinKey, keyOf } from '../controller/index.ts'
import { readinessOf } from './dra/bindingconditions.ts'
import { deallocate, removeConsumer, writeReservations } from './dra/perform.ts'
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

  return async (pod, options) => {
    await named('VolumeBinding', bindVolumes(pod, options))
    try {
      await named('DynamicResources', bindDevices(pod, options))
      await bind(pod.pod, options.node.name, options.performer)
    } catch (error) {
      devices?.release(options.reservations)
      const held = options.reservations.map(({ claim }) => claim)
      if (!context.signal.aborted) await removeConsumer(held, pod, options.performer.client).catch(() => {})
      throw error
    }
  }
}

/** Errors name the step in stock words. */
async function named(plugin: string, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const known = plugin === 'VolumeBinding' ? `binding volumes: ${reason}` : reason
    throw new Error(`running PreBind plugin "${plugin}": ${known}`, { cause: error })
  }
}
