import type * as core from '../../../../api/gen/core/v1.ts'
import type { ApiObject } from '../../../object/index.ts'
import { claimWarnings } from '../podspec/warnings.ts'

export const classAnnotation = 'volume.beta.kubernetes.io/storage-class'

/** Warns of claims and volumes with an annotation for their class. */
export function classWarnings({ metadata }: ApiObject): string[] {
  return metadata.annotations?.[classAnnotation] === undefined
    ? []
    : [`metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`]
}

export function persistentVolumeClaimWarnings(object: ApiObject): string[] {
  return [...classWarnings(object), ...claimWarnings('spec', object['spec'] as core.PersistentVolumeClaimSpec)]
}
