import type { Pod } from '../../../api/gen/core/v1.ts'
import { controllerOf } from '../../controller/index.ts'
import type { ApiObject, Frozen } from '../../object/index.ts'

/**
 * Whether a pod uses a resource claim: it names it, or the claim was made for one of its entries. That a claim says so of
 * the pod is not enough: a claim's status is written by others than the pod's owners.
 */
export function usesResourceClaim(
  { metadata, spec, status }: Frozen<Pod>,
  claim: Frozen<Pick<ApiObject, 'metadata'>>,
): boolean {
  const { name, namespace } = claim.metadata
  if (namespace !== metadata.namespace) return false
  return (spec.resourceClaims ?? []).some((entry) => {
    if (entry.resourceClaimName !== undefined) return entry.resourceClaimName === name
    const made = status.resourceClaimStatuses?.find((each) => each.name === entry.name)
    return made?.resourceClaimName === name && controllerOf(claim)?.uid === metadata.uid
  })
}
