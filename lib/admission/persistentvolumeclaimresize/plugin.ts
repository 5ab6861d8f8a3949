import type * as core from '../../../api/gen/core/v1.ts'
import type * as storage from '../../../api/gen/storage.k8s.io/v1.ts'
import { compareQuantities } from '../../object/index.ts'
import { concernsResource } from '../concernsresource.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'

interface PersistentVolumeClaimResizeDependencies {
  /** Undefined: there is no such class. */
  find(name: string, signal: AbortSignal): Promise<storage.StorageClass | undefined>
}

/** The annotation from before claims had a field for their class. */
const classAnnotation = 'volume.beta.kubernetes.io/storage-class'

/** Allows claims to grow only if their class can expand volumes. */
export function createPersistentVolumeClaimResize(
  dependencies: PersistentVolumeClaimResizeDependencies,
): AdmissionPlugin {
  return {
    name: 'PersistentVolumeClaimResize',
    handles: (operation) => operation === 'UPDATE',
    validate(attributes) {
      if (!concernsResource(attributes, 'persistentvolumeclaims')) return undefined
      return check(dependencies, attributes)
    },
  }
}

async function check(
  { find }: PersistentVolumeClaimResizeDependencies,
  attributes: AdmissionAttributes,
): Promise<void> {
  const claim = attributes.object as core.PersistentVolumeClaim
  const old = attributes.oldObject as core.PersistentVolumeClaim
  if (compareQuantities(sizeOf(claim), sizeOf(old)) <= 0) return
  if (old.status?.phase !== 'Bound') throw refusal(attributes, 'Only bound persistent volume claims can be expanded')
  const name = classOf(claim)
  const found = name !== '' && name === classOf(old) ? await find(name, attributes.signal) : undefined
  if (found?.allowVolumeExpansion) return
  throw refusal(
    attributes,
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
  )
}

function sizeOf({ spec }: core.PersistentVolumeClaim): string {
  return spec.resources?.requests?.['storage'] ?? '0'
}

function classOf({ metadata, spec }: core.PersistentVolumeClaim): string {
  return metadata.annotations?.[classAnnotation] ?? spec.storageClassName ?? ''
}
