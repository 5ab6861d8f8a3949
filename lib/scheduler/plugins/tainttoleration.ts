import { tolerates } from '../../kinds/index.ts'
import { normalized, type Plugin } from '../contract.ts'

/** Taints that the pod has to tolerate, and those that it should. */
export const taintToleration: Plugin = {
  name: 'TaintToleration',
  points: ['filter', 'preScore', 'score'],
  weight: 3,
  filter: () => ({
    name: 'TaintToleration',
    prepare({ pod }) {
      const tolerations = pod.spec.tolerations ?? []
      return ({ node }) => {
        const taint = node.spec.taints?.find(({ effect, ...rest }) => {
          const counts = effect === 'NoSchedule' || effect === 'NoExecute'
          return counts && !tolerates(tolerations, { effect, ...rest })
        })
        if (!taint) return undefined
        return { reason: `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`, isFinal: true }
      }
    },
  }),
  score: () => ({
    name: 'TaintToleration',
    scores({ pod }, nodes) {
      const tolerations = (pod.spec.tolerations ?? []).filter(
        ({ effect = '' }) => effect === '' || effect === 'PreferNoSchedule',
      )
      const raw = nodes.map(
        ({ node }) =>
          (node.spec.taints ?? []).filter(
            (taint) => taint.effect === 'PreferNoSchedule' && !tolerates(tolerations, taint),
          ).length,
      )
      return raw.some((count) => count > 0) ? normalized(raw, true) : undefined
    },
  }),
}
