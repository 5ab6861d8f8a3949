import type { NodeResourcesFitArgs } from '../../../api/gen/kubescheduler.config.k8s.io/v1.ts'
import { fieldErrors } from '../../object/index.ts'
import type { Plugin, Refusal } from '../contract.ts'
import { isServedByDevices } from '../dra/extended.ts'
import { completeStrategy, strategyProblems, strategyScore } from './scoringstrategy.ts'

/** Resources that the pod requests. */
export const nodeResourcesFit: Plugin<NodeResourcesFitArgs> = {
  name: 'NodeResourcesFit',
  points: ['preFilter', 'filter', 'preScore', 'score'],
  complete: (args) => ({ ...args, scoringStrategy: completeStrategy(args.scoringStrategy) }),
  check({ ignoredResourceGroups = [], scoringStrategy }, path) {
    const groups = path.child('ignoredResourceGroups')
    return [
      ...ignoredResourceGroups.flatMap((group, index) =>
        group.includes('/')
          ? [fieldErrors.invalid(groups.index(index), group, "resource group name can't contain '/'")]
          : [],
      ),
      ...(scoringStrategy ? strategyProblems(scoringStrategy, path.child('scoringStrategy')) : []),
    ]
  },
  filter: (args) => {
    const ignored = new Set(args?.ignoredResources)
    const groups = (args?.ignoredResourceGroups ?? []).map((group) => `${group}/`)
    return {
      name: 'NodeResourcesFit',
      prepare({ requests }, { devices }) {
        const wanted = [...requests].filter(
          ([name, amount]) => amount > 0 && !ignored.has(name) && !groups.some((group) => name.startsWith(group)),
        )
        return (node) => {
          const { allocatable, requested, pods } = node
          const refusals: Refusal[] = []
          if (pods.size + 1 > (allocatable.get('pods') ?? 0)) refusals.push({ reason: 'Too many pods', isFinal: false })
          for (const [name, amount] of wanted) {
            const most = allocatable.get(name) ?? 0
            if (amount <= most - (requested.get(name) ?? 0)) continue
            if (devices && isServedByDevices(name, node, devices)) continue
            refusals.push({ reason: `Insufficient ${name}`, isFinal: amount > most })
          }
          return refusals.length === 0 ? undefined : refusals
        }
      },
    }
  },
  score: (args) => {
    const scoreOf = strategyScore(args?.scoringStrategy)
    return { name: 'NodeResourcesFit', scores: (pod, nodes) => nodes.map((node) => scoreOf(pod, node)) }
  },
}
