import { resources } from '../../../api/gen/resources.ts'
import { createSeededRandom } from '../../../lib/base/index.ts'
import { chooseNode } from '../../../lib/scheduler/plan.ts'
import { preempt } from '../../../lib/scheduler/preempt.ts'
import { defaultProfile } from '../../../lib/scheduler/profile.ts'
import { runScripts } from '../../support/controllerscript.ts'
import { clusterOf } from '../../support/schedulerscript.ts'

const profile = defaultProfile('default-scheduler')

/** Expected: the node and the victims, or the message. schedulerscript.ts describes the input. */
runScripts(
  'preemption',
  (given) => {
    const { pod, snapshot } = clusterOf(given)
    const decision = chooseNode(pod, snapshot, { profile, random: createSeededRandom(1) })
    if ('node' in decision) return `fits on ${decision.node}`
    const budgets = [...given.lister(resources.policy.v1.poddisruptionbudgets).all()]
    const result = preempt(pod, snapshot, decision, budgets, profile)
    if (typeof result !== 'object') return result
    return `${result.node}: ${result.victims.map(({ pod: { metadata } }) => metadata.name).join(' ')}`
  },
  'scheduler',
)
