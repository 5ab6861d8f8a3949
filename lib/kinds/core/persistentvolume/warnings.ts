import type * as core from '../../../../api/gen/core/v1.ts'
import { appendAll } from '../../../base/index.ts'
import type { ApiObject } from '../../../object/index.ts'
import { classWarnings } from '../persistentvolumeclaim/warnings.ts'
import { nodeTermsWarnings } from '../podspec/nodelabels.ts'
import { retiredSources } from '../podspec/retiredsources.ts'

/** Sources about which the stock server warns only in pods. */
const unmentioned: ReadonlySet<string> = new Set(['flocker', 'quobyte'])

export function volumeWarnings(object: ApiObject): string[] {
  const spec = object['spec'] as core.PersistentVolumeSpec
  const found = classWarnings(object)
  if (spec.persistentVolumeReclaimPolicy === 'Recycle')
    found.push(
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    )
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms
  appendAll(found, nodeTermsWarnings('spec.nodeAffinity.required.nodeSelectorTerms', terms))
  for (const { field, shown, text } of retiredSources)
    if (spec[field] !== undefined && !unmentioned.has(field)) found.push(`spec.${shown}: ${text}`)
  return found
}
