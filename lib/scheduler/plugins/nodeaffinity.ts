import type { NodeAffinityArgs } from '../../../api/gen/kubescheduler.config.k8s.io/v1.ts'
import { fitsNode, matchesNodeTerm } from '../../kinds/index.ts'
import type { Frozen } from '../../object/index.ts'
import { normalized, type Plugin, type Refusal } from '../contract.ts'
import type { NodeInfo } from '../nodeinfo.ts'
import { nodeSelectorProblems } from './nodeselectorproblems.ts'

type Added = NodeAffinityArgs['addedAffinity']

const own: Refusal = { reason: "node(s) didn't match Pod's node affinity/selector", isFinal: true }
const added: Refusal = { reason: "node(s) didn't match scheduler-enforced node affinity", isFinal: true }

/** Selectors of the pod, and affinity that a profile adds to that of every pod. */
export const nodeAffinity: Plugin<NodeAffinityArgs> = {
  name: 'NodeAffinity',
  points: ['preFilter', 'filter', 'preScore', 'score'],
  weight: 2,
  complete: (args) => args,
  check({ addedAffinity }, path) {
    const at = path.child('addedAffinity')
    const required = addedAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
    const preferred = addedAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
    const requiredAt = at.child('requiredDuringSchedulingIgnoredDuringExecution').child('nodeSelectorTerms')
    const preferredAt = at.child('preferredDuringSchedulingIgnoredDuringExecution')
    return [
      ...required.flatMap((term, index) => nodeSelectorProblems(term, requiredAt.index(index))),
      ...preferred.flatMap(({ preference }, index) => nodeSelectorProblems(preference, preferredAt.index(index))),
    ]
  },
  filter: (args) => ({
    name: 'NodeAffinity',
    prepare({ pod: { spec } }) {
      const enforced = args?.addedAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
      const { nodeSelector = {}, affinity } = spec
      const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
      const asks = required !== undefined || Object.keys(nodeSelector).length > 0
      if (!asks && enforced === undefined) return undefined
      return ({ node }) => {
        if (enforced && !enforced.some((term) => matchesNodeTerm(term, node))) return added
        return !asks || fitsNode(spec, node) ? undefined : own
      }
    },
  }),
  score: (args) => ({
    name: 'NodeAffinity',
    scores({ pod }, nodes) {
      const terms = [...preferences(args?.addedAffinity), ...preferences(pod.spec.affinity?.nodeAffinity)]
      if (terms.length === 0) return undefined
      const scoreOf = ({ node }: NodeInfo): number =>
        terms.reduce((sum, { weight, preference }) => sum + (matchesNodeTerm(preference, node) ? weight : 0), 0)
      return normalized(nodes.map(scoreOf))
    },
  }),
}

function preferences(
  affinity: Frozen<Added>,
): NonNullable<NonNullable<Frozen<Added>>['preferredDuringSchedulingIgnoredDuringExecution']> {
  return affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
}
