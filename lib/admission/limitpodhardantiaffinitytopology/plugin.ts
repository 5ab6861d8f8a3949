import type * as core from '../../../api/gen/core/v1.ts'
import { concernsResource } from '../concernsresource.ts'
import type { AdmissionPlugin } from '../plugin.ts'
import { refusal } from '../refusal.ts'

const hostname = 'kubernetes.io/hostname'

/**
 * Restricts required anti-affinity of pods to the topology of single nodes: with a wider one, a pod could keep a whole
 * zone free.
 */
export function createLimitPodHardAntiAffinityTopology(): AdmissionPlugin {
  return {
    name: 'LimitPodHardAntiAffinityTopology',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    validate(attributes) {
      if (!concernsResource(attributes, 'pods')) return
      const { spec } = attributes.object as core.Pod
      const terms = spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
      const wide = terms.find(({ topologyKey }) => topologyKey !== hostname)
      if (!wide) return
      const which = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wide.topologyKey}`
      throw refusal(attributes, `${which} but only key ${hostname} is allowed`)
    },
  }
}
