import type { Pod } from '../../../api/gen/core/v1.ts'
import { controllerOf } from '../../controller/index.ts'
import type { ApiObject, Frozen } from '../../object/index.ts'

/**
 * A pod uses a resource claim that it names, or that was created for one of its entries. The claim's reservation is
 * not enough: others than the pod's owner write a claim's status.
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
