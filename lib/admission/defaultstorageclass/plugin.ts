import type * as core from '../../../api/gen/core/v1.ts'
import type * as storage from '../../../api/gen/storage.k8s.io/v1.ts'
import { concernsResource } from '../concernsresource.ts'
import { newestDefault } from '../newestdefault.ts'
import type { AdmissionPlugin } from '../plugin.ts'

interface DefaultStorageClassDependencies {
  all(signal: AbortSignal): Promise<readonly storage.StorageClass[]>
}

const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
]
/** The annotation from before claims had a field for their class. */
const classAnnotation = 'volume.beta.kubernetes.io/storage-class'

/** Gives claims without a class the default one; the class '' means none. */
export function createDefaultStorageClass(dependencies: DefaultStorageClassDependencies): AdmissionPlugin {
  return {
    name: 'DefaultStorageClass',
    handles: (operation) => operation === 'CREATE',
    mutate(attributes) {
      if (!concernsResource(attributes, 'persistentvolumeclaims')) return undefined
      const { metadata, spec } = attributes.object as core.PersistentVolumeClaim
      if (spec.storageClassName !== undefined || metadata.annotations?.[classAnnotation] !== undefined) return undefined
      return dependencies.all(attributes.signal).then((classes) => {
        const name = newestDefault(classes, defaultAnnotations)?.metadata.name
        if (name !== undefined) spec.storageClassName = name
      })
    },
  }
}
