import type * as core from '../../../api/gen/core/v1.ts'
import { concernsResource } from '../concernsresource.ts'
import type { AdmissionPlugin } from '../plugin.ts'

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }

/** Taints new nodes until a controller has seen them ready. */
export function createTaintNodesByCondition(): AdmissionPlugin {
  return {
    name: 'TaintNodesByCondition',
    handles: (operation) => operation === 'CREATE',
    mutate(attributes) {
      if (!concernsResource(attributes, 'nodes')) return
      const node = attributes.object as core.Node
      const taints = node.spec?.taints ?? []
      if (taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect)) return
      node.spec = { ...node.spec, taints: [...taints, { ...notReady }] }
    },
  }
}
