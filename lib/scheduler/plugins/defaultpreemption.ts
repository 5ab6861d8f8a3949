import type { DefaultPreemptionArgs } from '../../../api/gen/kubescheduler.config.k8s.io/v1.ts'
import { fieldErrors } from '../../object/index.ts'
import type { Plugin } from '../contract.ts'

export const defaultPreemptionArgs = { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 100 } as const

/** Ends less important pods for others. The work is that of preempt.ts; this is its configuration. */
export const defaultPreemption: Plugin<DefaultPreemptionArgs> = {
  name: 'DefaultPreemption',
  points: ['postFilter'],
  complete: (args) => ({
    ...args,
    minCandidateNodesPercentage: args.minCandidateNodesPercentage ?? defaultPreemptionArgs.minCandidateNodesPercentage,
    minCandidateNodesAbsolute: args.minCandidateNodesAbsolute ?? defaultPreemptionArgs.minCandidateNodesAbsolute,
  }),
  check({ minCandidateNodesPercentage: percentage = 0, minCandidateNodesAbsolute: absolute = 0 }, path) {
    const percentagePath = path.child('minCandidateNodesPercentage')
    const absolutePath = path.child('minCandidateNodesAbsolute')
    const problems = []
    if (percentage < 0 || percentage > 100)
      problems.push(fieldErrors.invalid(percentagePath, percentage, 'not in valid range [0, 100]'))
    if (absolute < 0) problems.push(fieldErrors.invalid(absolutePath, absolute, 'not in valid range [0, inf)'))
    if (percentage === 0 && absolute === 0)
      problems.push(
        fieldErrors.invalid(percentagePath, percentage, 'cannot be zero at the same time as minCandidateNodesAbsolute'),
        fieldErrors.invalid(absolutePath, absolute, 'cannot be zero at the same time as minCandidateNodesPercentage'),
      )
    return problems
  },
}
