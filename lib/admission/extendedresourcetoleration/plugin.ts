import type * as core from '../../../api/gen/core/v1.ts'
import { concernsResource } from '../concernsresource.ts'
import type { AdmissionPlugin } from '../plugin.ts'

/**
 * Gives pods that request extended resources a toleration of the taint with the resource's name, which reserves nodes
 * for them.
 */
export function createExtendedResourceToleration(): AdmissionPlugin {
  return {
    name: 'ExtendedResourceToleration',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    mutate(attributes) {
      if (!concernsResource(attributes, 'pods')) return
      const { spec } = attributes.object as core.Pod
      if (!spec) return
      const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
      const asked = containers.flatMap(({ resources }) => Object.keys(resources?.requests ?? {}))
      const names = [...new Set(asked.filter(isExtended))].sort()
      const own = spec.tolerations ?? []
      const added = names
        .filter(
          (key) => !own.some((one) => one.key === key && one.operator === 'Exists' && one.effect === 'NoSchedule'),
        )
        .map((key) => ({ key, operator: 'Exists', effect: 'NoSchedule' }))
      if (added.length > 0) spec.tolerations = [...own, ...added]
    },
  }
}

/** Whether the resource has a domain other than Kubernetes' own. */
function isExtended(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.')
}
