import type { ResourceClaim, ResourceClaimSpec } from '../../../api/gen/resource.k8s.io/v1.ts'
import type { Metrics } from '../../base/index.ts'
import type { Frozen } from '../../object/index.ts'
import { claimAnnotation, extendedAnnotation } from './plan.ts'

export interface ClaimMetrics {
  created(isMade: boolean, isAdmin: boolean): void
}

/** `claims`: all existing claims. */
export function createClaimMetrics(metrics: Metrics, claims: () => Iterable<Frozen<ResourceClaim>>): ClaimMetrics {
  const creates = metrics.counter({
    name: 'resourceclaim_controller_creates_total',
    help: 'Attempts to create claims, by success, and by whether they request administrative access.',
    labels: ['status', 'admin_access'],
    stability: 'ALPHA',
  })
  metrics
    .gauge({
      name: 'resourceclaim_controller_resource_claims',
      help: 'Claims, by whether they are allocated, request administrative access, and were created from a template.',
      labels: ['allocated', 'admin_access', 'source'],
      stability: 'ALPHA',
    })
    .collect(() => {
      const counts = new Map<string, { labels: readonly string[]; value: number }>()
      for (const { metadata, spec, status } of claims()) {
        const labels = [String(status?.allocation !== undefined), String(isAdminAccess(spec)), sourceOf(metadata)]
        const known = counts.get(labels.join()) ?? { labels, value: 0 }
        counts.set(labels.join(), known)
        known.value++
      }
      return counts.values()
    })
  return { created: (isMade, isAdmin) => creates.add([isMade ? 'success' : 'failure', String(isAdmin)]) }
}

/** '': it was not created from a template. */
function sourceOf({ annotations }: Frozen<ResourceClaim>['metadata']): string {
  if (annotations?.[claimAnnotation] !== undefined) return 'resource_claim_template'
  return annotations?.[extendedAnnotation] === 'true' ? 'extended_resource' : ''
}

/** Before v1beta2 the field is in the request itself. */
export function isAdminAccess({ devices }: Frozen<ResourceClaimSpec>): boolean {
  return (
    devices?.requests?.some(
      (request) => request.exactly?.adminAccess === true || (request as { adminAccess?: boolean }).adminAccess === true,
    ) ?? false
  )
}
