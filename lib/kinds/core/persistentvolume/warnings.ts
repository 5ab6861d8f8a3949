import type * as core from '../../../../api/gen/core/v1.ts'
import type { ApiObject } from '../../../object/index.ts'
import { classWarnings } from '../persistentvolumeclaim/warnings.ts'
import { nodeTermsWarnings } from '../podspec/nodelabels.ts'

/** By field, and how its path shows it where that differs. */
const deadSources: readonly (readonly [keyof core.PersistentVolumeSpec, string, string?])[] = [
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
]

export function volumeWarnings(object: ApiObject): string[] {
  const spec = object['spec'] as core.PersistentVolumeSpec
  const found = classWarnings(object)
  if (spec.persistentVolumeReclaimPolicy === 'Recycle')
    found.push(
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    )
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms
  found.push(...nodeTermsWarnings('spec.nodeAffinity.required.nodeSelectorTerms', terms))
  for (const [field, text, shown = field] of deadSources)
    if (spec[field] !== undefined) found.push(`spec.${shown}: ${text}`)
  return found
}
