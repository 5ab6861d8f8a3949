import type { PersistentVolume, PersistentVolumeClaim } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControllerDefinition, type Index, keyOf } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'

const finalizer = 'kubernetes.io/vac-protection'

/** Keeps deleted classes while a volume or claim names them. */
export const vacprotection: ControllerDefinition = {
  name: 'volumeattributesclass-protection-controller',
  account: 'volumeattributesclass-protection-controller',
  gates: ['VolumeAttributesClass'],
  start(context) {
    const { volumeattributesclasses } = resources.storage.v1
    const classes = context.informer(volumeattributesclasses)
    const volumes = context.informer(resources.core.v1.persistentvolumes)
    const claims = context.informer(resources.core.v1.persistentvolumeclaims)
    const queue = context.reconcile({
      name: 'vacprotection',
      workers: 1,
      async turn(name, { client }) {
        const known = classes.get(name)
        if (!known) return
        const { finalizers = [], deletionTimestamp } = known.metadata
        const isProtected = finalizers.includes(finalizer)
        const isDeleting = deletionTimestamp !== undefined
        // Existing classes have the finalizer already, or deleted ones no longer have it.
        if (isProtected !== isDeleting) return
        if (isDeleting && (volumes.by(volumesByClass, name).length > 0 || claims.by(claimsByClass, name).length > 0))
          return
        const changed = isDeleting ? finalizers.filter((each) => each !== finalizer) : [...finalizers, finalizer]
        await client
          .resource(volumeattributesclasses)
          .update({ ...known, metadata: { ...known.metadata, finalizers: changed } })
      },
    })
    classes.subscribe(({ object, deleted }) => {
      if (!deleted) queue.add(keyOf(object))
    })
    const again = (names: Iterable<string>): void => {
      for (const name of names) if (classes.get(name)?.metadata.deletionTimestamp !== undefined) queue.add(name)
    }
    volumes.subscribe(({ object, before }) => again(volumesByClass.values(before ?? object)))
    claims.subscribe(({ object, before }) => again(claimsByClass.values(before ?? object)))
  },
}

const volumesByClass: Index<PersistentVolume> = { values: ({ spec }) => named(spec.volumeAttributesClassName) }

const claimsByClass: Index<PersistentVolumeClaim> = {
  values: ({ spec, status }: Frozen<PersistentVolumeClaim>) =>
    named(
      spec.volumeAttributesClassName,
      status.currentVolumeAttributesClassName,
      status.modifyVolumeStatus?.targetVolumeAttributesClassName,
    ),
}

function named(...names: readonly (string | undefined)[]): ReadonlySet<string> {
  return new Set(names.filter((name) => name !== undefined && name !== '') as string[])
}
