import type { PersistentVolumeClaim, Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { type ControllerDefinition, joinKey, keyOf, namespaceOf } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import { finalizer, plan } from './plan.ts'

/** Keeps deleted claims until no pod uses them. */
export const pvcprotection: ControllerDefinition = {
  name: 'persistentvolumeclaim-protection-controller',
  aliases: ['pvc-protection'],
  account: 'pvc-protection-controller',
  start(context) {
    const claims = context.informer(resources.core.v1.persistentvolumeclaims)
    const pods = context.informer(resources.core.v1.pods)
    const queue = context.reconcile({
      name: 'pvcprotection',
      workers: 1,
      async turn(key, { client }) {
        const claim = claims.get(key)
        if (claim) await protect(claim, pods.in(namespaceOf(claim)), client)
      },
    })
    claims.subscribe(({ object, deleted }) => {
      if (!deleted) queue.add(keyOf(object))
    })
    pods.subscribe(({ object, before }) => {
      for (const pod of before ? [object, before] : [object])
        for (const name of claimNamesOf(pod)) {
          const key = joinKey(namespaceOf(pod), name)
          if (claims.get(key)?.metadata.deletionTimestamp !== undefined) queue.add(key)
        }
    })
  },
}

async function protect(
  claim: Frozen<PersistentVolumeClaim>,
  pods: Iterable<Frozen<Pod>>,
  client: Client,
): Promise<void> {
  const intention = plan(claim, pods)
  if (intention === 'nothing') return
  const known = claim.metadata.finalizers ?? []
  if (intention === 'remove') {
    // Pods that the informer does not show yet count, too.
    const { items } = await client.resource(resources.core.v1.pods).list({ namespace: namespaceOf(claim) })
    if (plan(claim, items) === 'nothing') return
  }
  const finalizers = intention === 'add' ? [...known, finalizer] : known.filter((each) => each !== finalizer)
  await client
    .resource(resources.core.v1.persistentvolumeclaims)
    .update({ ...claim, metadata: { ...claim.metadata, finalizers } })
}

function claimNamesOf({ metadata, spec }: Frozen<Pod>): string[] {
  return (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim) return [persistentVolumeClaim.claimName]
    return ephemeral ? [`${metadata.name}-${name}`] : []
  })
}
