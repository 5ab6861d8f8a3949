import type { AdmissionPlugin } from '../plugin.ts'

const finalizers: ReadonlyMap<string, string> = new Map([
  ['/persistentvolumes', 'kubernetes.io/pv-protection'],
  ['/persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
  ['storage.k8s.io/volumeattributesclasses', 'kubernetes.io/vac-protection'],
])

/**
 * Adds the protection finalizer to new volumes and claims: they stay until a controller has checked that no pod uses
 * them.
 */
export function createStorageObjectInUseProtection(): AdmissionPlugin {
  return {
    name: 'StorageObjectInUseProtection',
    handles: (operation) => operation === 'CREATE',
    mutate({ resource, subresource, object }) {
      const finalizer = finalizers.get(`${resource.group}/${resource.resource}`)
      if (finalizer === undefined || subresource !== '' || !object) return
      const present = object.metadata.finalizers ?? []
      if (!present.includes(finalizer)) object.metadata.finalizers = [...present, finalizer]
    },
  }
}
