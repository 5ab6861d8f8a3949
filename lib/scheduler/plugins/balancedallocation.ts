import type { NodeResourcesBalancedAllocationArgs } from '../../../api/gen/kubescheduler.config.k8s.io/v1.ts'
import { fieldErrors } from '../../object/index.ts'
import { type Plugin, scoreMax } from '../contract.ts'
import type { NodeInfo } from '../nodeinfo.ts'
import type { PodInfo } from '../podinfo.ts'
import { completeResources, defaultResources } from './scoringstrategy.ts'

/** Prefers nodes of which as much of one resource as of the others is used. */
export const balancedAllocation: Plugin<NodeResourcesBalancedAllocationArgs> = {
  name: 'NodeResourcesBalancedAllocation',
  points: ['preScore', 'score'],
  complete: (args) => ({ ...args, resources: completeResources(args.resources) }),
  check({ resources = [] }, path) {
    const names = resources.map(({ name }) => name)
    return resources.flatMap(({ name, weight }, index) => {
      const at = path.child('resources').index(index)
      return [
        ...(names.indexOf(name) < index ? [fieldErrors.duplicate(at.child('name'), name)] : []),
        ...(weight === 1 ? [] : [fieldErrors.invalid(at.child('weight'), weight, 'must be 1')]),
      ]
    })
  },
  score: (args) => {
    const names = (args?.resources ?? defaultResources).map(({ name }) => name)
    return {
      name: 'NodeResourcesBalancedAllocation',
      scores: (pod, nodes) =>
        names.some((name) => (pod.requests.get(name) ?? 0) > 0)
          ? nodes.map((node) => balanceOf(names, pod, node))
          : undefined,
    }
  },
}

/** The standard deviation of the used parts counts against the node. */
function balanceOf(names: readonly string[], pod: PodInfo, { allocatable, requested }: NodeInfo): number {
  const parts = names.flatMap((name) => {
    const most = allocatable.get(name) ?? 0
    const used = (requested.get(name) ?? 0) + (pod.requests.get(name) ?? 0)
    return most === 0 ? [] : [Math.min(1, used / most)]
  })
  if (parts.length < 2) return scoreMax
  const mean = parts.reduce((sum, part) => sum + part, 0) / parts.length
  const variance = parts.reduce((sum, part) => sum + (part - mean) ** 2, 0) / parts.length
  return Math.floor((1 - Math.sqrt(variance)) * scoreMax)
}
