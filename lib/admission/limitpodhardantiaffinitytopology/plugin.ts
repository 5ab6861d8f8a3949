import type * as core from '../../../api/gen/core/v1.ts'
import { isAbout, refusal } from '../about.ts'
import type { AdmissionPlugin } from '../plugin.ts'

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
      if (!isAbout(attributes, 'pods')) return
      const { spec } = attributes.object as core.Pod
      const terms = spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
      const wide = terms.find(({ topologyKey }) => topologyKey !== hostname)
      if (!wide) return
      const which = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wide.topologyKey}`
      throw refusal(attributes, `${which} but only key ${hostname} is allowed`)
    },
  }
}
