import type { PersistentVolume } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, keyOf } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'

const finalizer = 'kubernetes.io/pv-protection'

/** Keeps deleted volumes while they are bound. */
export const pvprotection: ControllerDefinition = {
  name: 'persistentvolume-protection-controller',
  aliases: ['pv-protection'],
  account: 'pv-protection-controller',
  start(context) {
    const volumes = context.informer(resources.core.v1.persistentvolumes)
    const queue = context.reconcile({
      name: 'pvprotection',
      workers: 1,
      async turn(key, { client }) {
        const volume = volumes.get(key)
        const finalizers = volume && planFinalizers(volume)
        if (!finalizers) return
        const { metadata } = volume
        await client
          .resource(resources.core.v1.persistentvolumes)
          .update({ ...volume, metadata: { ...metadata, finalizers } })
      },
    })
    volumes.subscribe(({ object, deleted }) => {
      if (!deleted) queue.add(keyOf(object))
    })
  },
}

/** Undefined: they need no change. */
function planFinalizers({ metadata, status }: Frozen<PersistentVolume>): readonly string[] | undefined {
  const known = metadata.finalizers ?? []
  const isProtected = known.includes(finalizer)
  if (metadata.deletionTimestamp === undefined) return isProtected ? undefined : [...known, finalizer]
  if (!isProtected || status.phase === 'Bound') return undefined
  return known.filter((each) => each !== finalizer)
}
