import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { type ControllerDefinition, isNotFound, joinKey, keyOf, splitKey } from '../../controller/index.ts'
import { planClaim, unboundClaims } from './claim.ts'
import { volumesNaming } from './match.ts'
import { createBinderMetrics } from './metrics.ts'
import { perform } from './perform.ts'
import { createRecycling } from './recycling.ts'
import { annotations, type Claim, classNameOf, has, type Seen, type Volume } from './types.ts'
import { planVolume } from './volume.ts'

const { persistentvolumeclaims, persistentvolumes, pods } = resources.core.v1
const { storageclasses } = resources.storage.v1

/** Delay by which changes are handled by one pass over the claims of a class. */
const sweepAfterMs = 50

/**
 * Binds claims to volumes, requests missing volumes from provisioners, and releases volumes whose claim was deleted.
 */
export const pvbinder: ControllerDefinition = {
  name: 'persistentvolume-binder-controller',
  aliases: ['persistentvolume-binder'],
  account: 'persistent-volume-binder',
  component: 'persistentvolume-controller',
  start(context) {
    const { events, settings } = context
    const seen: Seen = {
      claims: context.informer(persistentvolumeclaims),
      volumes: context.informer(persistentvolumes),
      classes: context.informer(storageclasses),
      pods: context.informer(pods),
      provisions: settings.enableDynamicProvisioning,
      makesFolders: settings.enableHostpathProvisioner,
      attributesClasses: context.gate('VolumeAttributesClass'),
    }
    const classSet = createBinderMetrics(context.metrics, seen.volumes, seen.claims)
    const claimQueue = context.reconcile({
      name: 'claims',
      workers: 1,
      async turn(key, { client }) {
        const claim = seen.claims.get(key)
        if (claim) await perform(planClaim(claim, seen), { client, events, classSet })
      },
    })
    const recycling = createRecycling({
      context,
      pods: context.informer(pods),
      claimOf: (volume) => seen.claims.get(claimKeyOf(volume)),
      isWaiting: async (volume, client) => planVolume(volume, await claimOf(volume, seen, client)).recycleNext === true,
      perform: (plan, client) => perform(plan, { client, events, classSet }),
      again: (name) => recycles.add(name),
    })
    const recycles = context.reconcile({
      name: 'recycled_volumes',
      turn: (name, { client }) => recycling.turn(name, client),
    })
    const volumeQueue = context.reconcile({
      name: 'volumes',
      workers: 1,
      async turn(name, { client }) {
        const volume = seen.volumes.get(name)
        if (!volume) return
        const plan = planVolume(volume, await claimOf(volume, seen, client))
        await perform(plan, { client, events, classSet })
        if (plan.claimNext) claimQueue.add(claimKeyOf(volume))
        if (plan.recycleNext) recycles.add(name)
      },
    })
    const sweeps = context.reconcile({
      name: 'unbound_claims',
      workers: 1,
      turn: async (className) => {
        for (const claim of seen.claims.by(unboundClaims, className.slice(1))) claimQueue.add(keyOf(claim))
      },
    })
    // The slash is there for claims without a class: a key must not be empty.
    const sweep = (className: string) => sweeps.addAfter(`/${className}`, sweepAfterMs)
    context.informer(persistentvolumeclaims).subscribe(({ object, deleted }) => {
      if (!deleted) claimQueue.add(keyOf(object))
      const { volumeName = '' } = object.spec
      if (volumeName !== '') volumeQueue.add(volumeName)
      for (const volume of volumesNaming(keyOf(object), seen.volumes)) volumeQueue.add(keyOf(volume))
    })
    context.informer(persistentvolumes).subscribe(({ object, deleted }) => {
      if (!deleted) volumeQueue.add(keyOf(object))
      if (object.spec.claimRef) claimQueue.add(claimKeyOf(object))
      else if (object.status.phase === 'Available') sweep(classNameOf(object))
    })
    context.informer(storageclasses).subscribe(({ object }) => {
      sweep(keyOf(object))
      sweep('')
    })
    context.every(settings.pvclaimbinderSyncPeriod, () => {
      for (const claim of seen.claims.all()) if (!has(claim, annotations.bindCompleted)) claimQueue.add(keyOf(claim))
      for (const volume of seen.volumes.all()) if (volume.status.phase !== 'Bound') volumeQueue.add(keyOf(volume))
    })
  },
}

function claimKeyOf({ spec: { claimRef } }: Volume): string {
  return joinKey(claimRef?.namespace ?? '', claimRef?.name ?? '')
}

/**
 * A claim that the informer does not show, or with another uid, is read from the server before the volume is
 * released.
 */
async function claimOf(volume: Volume, { claims }: Seen, client: Client): Promise<Claim | undefined> {
  const { claimRef } = volume.spec
  if (!claimRef) return undefined
  const known = claims.get(claimKeyOf(volume))
  const isReleased = volume.status.phase === 'Released' || volume.status.phase === 'Failed'
  if ((claimRef.uid ?? '') === '' || known?.metadata.uid === claimRef.uid || isReleased) return known
  try {
    return await client.resource(persistentvolumeclaims).get(splitKey(claimKeyOf(volume)))
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
