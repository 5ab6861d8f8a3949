import { createSeededRandom } from '../../../lib/base/index.ts'
import { unschedulableMessage } from '../../../lib/scheduler/message.ts'
import { chooseNode } from '../../../lib/scheduler/plan.ts'
import { defaultProfile } from '../../../lib/scheduler/profile.ts'
import { runScripts } from '../../support/controllerscript.ts'
import { clusterOf } from '../../support/schedulerscript.ts'

const profile = defaultProfile('default-scheduler')

/** Expected: the node of the pod, or the message about it. schedulerscript.ts describes the input. */
runScripts(
  'nodes',
  (given) => {
    const { pod, snapshot } = clusterOf(given)
    const decision = chooseNode(pod, snapshot, { profile, random: createSeededRandom(1) })
    if ('node' in decision) return decision.node
    return unschedulableMessage(snapshot.nodes.size, decision.refusals, decision.problem)
  },
  'scheduler',
)
