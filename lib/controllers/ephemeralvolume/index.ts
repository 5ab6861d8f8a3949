import type { PersistentVolumeClaim, Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import {
  type ControllerDefinition,
  type Index,
  isControlledBy,
  joinKey,
  keyOf,
  namespaceOf,
} from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { messageOf } from '../shared/messageof.ts'
import { claimFor, claimNameOf, ephemeralVolumesOf, notOwned } from './plan.ts'

const { persistentvolumeclaims, pods: podsType } = resources.core.v1

/** Creates the claims of pods' ephemeral volumes; the garbage collector deletes them with the pod. */
export const ephemeralvolume: ControllerDefinition = {
  name: 'ephemeral-volume-controller',
  aliases: ['ephemeral-volume'],
  account: 'ephemeral-volume-controller',
  component: 'ephemeral_volume',
  start(context) {
    const pods = context.informer(podsType)
    const claims = context.informer(persistentvolumeclaims)
    const [created, failed] = ['create', 'create_failures'].map((what) =>
      context.metrics.counter({
        name: `ephemeral_volume_controller_${what}_total`,
        help: `Number of PersistentVolumeClaim ${what === 'create' ? 'creation requests' : 'creation request failures'}.`,
        stability: 'ALPHA',
      }),
    )
    const make = async (client: Client, claim: Frozen<PersistentVolumeClaim>): Promise<void> => {
      created?.add([])
      try {
        await client.resource(persistentvolumeclaims).create(claim)
      } catch (error) {
        failed?.add([])
        throw new Error(`create PVC ${claim.metadata.name}: ${messageOf(error)}`, { cause: error })
      }
    }
    const queue = context.reconcile({
      name: 'ephemeral_volume',
      workers: context.settings.concurrentEphemeralvolumeSyncs,
      async turn(key, { client }) {
        const pod = pods.get(key)
        if (!pod || pod.metadata.deletionTimestamp !== undefined) return
        for (const volume of ephemeralVolumesOf(pod)) {
          try {
            const claim = claims.get(joinKey(namespaceOf(pod), claimNameOf(pod, volume)))
            if (!claim) await make(client, claimFor(pod, volume))
            else if (!isControlledBy(claim, pod)) throw new Error(notOwned(pod, volume))
          } catch (error) {
            const message = `ephemeral volume ${volume.name}: ${messageOf(error)}`
            context.events.event(pod, 'Warning', 'FailedBinding', message)
            throw error
          }
        }
      },
    })
    pods.subscribe(({ object, before }) => {
      // The volumes of a pod never change.
      if (!before && ephemeralVolumesOf(object).length > 0) queue.add(keyOf(object))
    })
    claims.subscribe(({ object, deleted }) => {
      if (deleted) for (const pod of pods.by(podsByEphemeralClaim, keyOf(object))) queue.add(keyOf(pod))
    })
  },
}

const podsByEphemeralClaim: Index<Pod> = {
  values: (pod) => ephemeralVolumesOf(pod).map((volume) => joinKey(namespaceOf(pod), claimNameOf(pod, volume))),
}
