import type { Filter } from '../contract.ts'
import { claimsOf, planClaims } from '../volumes.ts'

/** The claims of the pod are bound to volumes that the node reaches, or can be. */
export const volumeBinding: Filter = {
  name: 'VolumeBinding',
  prepare({ pod }, { volumes }) {
    const claims = claimsOf(pod, volumes)
    if (claims === undefined || typeof claims === 'string') return claims
    return (node) => {
      const plan = planClaims(claims, node, volumes)
      return typeof plan === 'string' ? { reason: plan, isFinal: true } : undefined
    }
  },
}
