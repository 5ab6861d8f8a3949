import type { PersistentVolume, PersistentVolumeClaim } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { CSIDriver, StorageClass } from '../../../api/gen/storage.k8s.io/v1.ts'
import {
  type ControllerContext,
  type Informer,
  isAlreadyExists,
  isNotFound,
  keyOf,
  type TurnResult,
} from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { type ClaimStep, driverName, isReleased, planClaim } from './plan.ts'

/** The class that claims get which name none. */
const className = 'hollow'
const failAgainMs = 5000

interface Informers {
  readonly claims: Informer<PersistentVolumeClaim>
  readonly volumes: Informer<PersistentVolume>
  readonly classes: Informer<StorageClass>
}

/** Makes, expands and deletes the volumes of hollow nodes, as an external provisioner and resizer would. */
export function runVolumeDriver(context: ControllerContext, { claims, volumes, classes }: Informers): void {
  const queue = context.reconcile({
    name: 'hollow-volumes',
    async turn(key): Promise<TurnResult | void> {
      const claim = claims.get(key)
      if (!claim) return
      const step = planClaim({
        claim,
        storageClass: classes.get(claim.spec.storageClassName ?? ''),
        volume: volumes.get(claim.spec.volumeName ?? ''),
        nowMs: context.clock.now(),
      })
      if (step?.do === 'wait') return { againAfterMs: Math.max(1, step.untilMs - context.clock.now()) }
      await perform(context, claim, step)
      if (step?.do === 'fail') return { againAfterMs: failAgainMs }
    },
  })
  const released = context.reconcile({
    name: 'hollow-volumes-released',
    async turn(name) {
      const volume = volumes.get(name)
      if (!volume || !isReleased(volume)) return
      await context.client
        .resource(resources.core.v1.persistentvolumes)
        .delete(volume.metadata, { uid: volume.metadata.uid })
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error
        })
    },
  })
  claims.subscribe(({ object, deleted }) => {
    if (!deleted) queue.add(keyOf(object))
  })
  volumes.subscribe(({ object, deleted }) => {
    if (!deleted && isReleased(object)) released.add(keyOf(object))
  })
}

async function perform(
  { client, events }: ControllerContext,
  claim: Frozen<PersistentVolumeClaim>,
  step: ClaimStep,
): Promise<void> {
  const volumes = client.resource(resources.core.v1.persistentvolumes)
  if (step?.do === 'fail') events.event(claim, 'Warning', 'ProvisioningFailed', step.message)
  if (step?.do === 'provision') {
    await volumes.create(step.volume).catch((error: unknown) => {
      // It was made in an earlier turn, and the binder has not bound it yet.
      if (!isAlreadyExists(error)) throw error
    })
    const { name = '' } = step.volume.metadata
    events.event(claim, 'Normal', 'ProvisioningSucceeded', `Successfully provisioned volume ${name}`)
  }
  if (step?.do === 'expand') {
    const capacity = { storage: step.size }
    await volumes.patch(step.volume.metadata, 'merge', { spec: { capacity } })
    await client
      .resource(resources.core.v1.persistentvolumeclaims)
      .patchStatus(claim.metadata, 'merge', { status: { capacity, conditions: null } })
    events.event(claim, 'Normal', 'FileSystemResizeSuccessful', 'MountVolume.NodeExpandVolume succeeded for volume')
  }
}

/** Makes the driver's object and a storage class known, where they are not. */
export async function installVolumeDriver({ client, log }: ControllerContext): Promise<void> {
  const driver: CSIDriver = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name: driverName },
    spec: { attachRequired: false, podInfoOnMount: false, volumeLifecycleModes: ['Persistent'] },
  }
  const storageClass: StorageClass = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: className, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: driverName,
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowVolumeExpansion: true,
  }
  const made = await Promise.allSettled([
    client.resource(resources.storage.v1.csidrivers).create(driver),
    client.resource(resources.storage.v1.storageclasses).create(storageClass),
  ])
  for (const each of made)
    if (each.status === 'rejected' && !isAlreadyExists(each.reason))
      log.warn('the driver of hollow volumes was not registered', { error: each.reason })
}
