import { resources } from '../../../api/gen/resources.ts'
import { createSeededRandom } from '../../../lib/base/index.ts'
import { chooseNode } from '../../../lib/scheduler/plan.ts'
import { preempt } from '../../../lib/scheduler/preempt.ts'
import { runScripts } from '../../support/controllerscript.ts'
import { clusterOf } from '../../support/schedulerscript.ts'

/** Expected: the node and the victims, or the message. schedulerscript.ts describes the input. */
runScripts(
  'preemption',
  (given) => {
    const { pod, snapshot } = clusterOf(given)
    const decision = chooseNode(pod, snapshot, createSeededRandom(1))
    if ('node' in decision) return `fits on ${decision.node}`
    const budgets = [...given.lister(resources.policy.v1.poddisruptionbudgets).all()]
    const result = preempt(pod, snapshot, decision, budgets)
    if (typeof result === 'string') return result
    return `${result.node}: ${result.victims.map(({ pod: { metadata } }) => metadata.name).join(' ')}`
  },
  'scheduler',
)
