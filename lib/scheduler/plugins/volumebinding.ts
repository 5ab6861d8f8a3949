import type { VolumeBindingArgs } from '../../../api/gen/kubescheduler.config.k8s.io/v1.ts'
import { fieldErrors } from '../../object/index.ts'
import type { Plugin } from '../contract.ts'
import { claimsOf, planClaims } from '../volumes.ts'

/** The claims of the pod are bound to volumes that the node reaches, or can be. */
export const volumeBinding: Plugin<VolumeBindingArgs> = {
  name: 'VolumeBinding',
  points: ['preFilter', 'filter', 'reserve', 'preBind', 'preScore', 'score'],
  complete: (args) => ({ ...args, bindTimeoutSeconds: args.bindTimeoutSeconds ?? 600 }),
  check: ({ bindTimeoutSeconds = 0, shape }, path) => [
    ...(bindTimeoutSeconds >= 0
      ? []
      : [
          fieldErrors.invalid(
            path.child('bindTimeoutSeconds'),
            bindTimeoutSeconds,
            'invalid BindTimeoutSeconds, should not be a negative value',
          ),
        ]),
    ...(shape === undefined
      ? []
      : [
          fieldErrors.invalid(
            path.child('shape'),
            shape,
            'unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring',
          ),
        ]),
  ],
  filter: () => ({
    name: 'VolumeBinding',
    prepare({ pod }, { volumes }) {
      const claims = claimsOf(pod, volumes)
      if (claims === undefined || typeof claims === 'string') return claims
      return (node) => {
        const plan = planClaims(claims, node, volumes)
        return typeof plan === 'string' ? { reason: plan, isFinal: true } : undefined
      }
    },
  }),
}
