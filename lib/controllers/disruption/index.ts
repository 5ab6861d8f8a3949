import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { type ControllerDefinition, createKindMapper, isConflict, keyOf } from '../../controller/index.ts'
import { messageOf } from '../shared/messageof.ts'
import { budgetsOf, podsOf, scaleOf, scalesOf, staleInMs } from './observe.ts'
import { dropStaleCondition, type Parts, reportNotDeleted, reportSeveralBudgets, writeStatus } from './perform.ts'
import { failSafe, needsScale, plan, type SomeBudget, type SomePod } from './plan.ts'

const { poddisruptionbudgets } = resources.policy.v1
const { pods: podsType, replicationcontrollers } = resources.core.v1
const { deployments, replicasets, statefulsets } = resources.apps.v1

/** Updates the status of each budget: the number of its pods that may be evicted now. */
export const disruption: ControllerDefinition = {
  name: 'disruption-controller',
  aliases: ['disruption'],
  account: 'disruption-controller',
  component: 'controllermanager',
  start(context) {
    const listers = {
      budgets: context.informer(poddisruptionbudgets),
      pods: context.informer(podsType),
      deployments: context.informer(deployments),
      replicasets: context.informer(replicasets),
      statefulsets: context.informer(statefulsets),
      replicationcontrollers: context.informer(replicationcontrollers),
    }
    const parts = { context, listers, kinds: createKindMapper(context.client, context.clock) }
    const queue = context.reconcile({
      name: 'disruption',
      workers: 1,
      async turn(key, { client }) {
        const budget = listers.budgets.get(key)
        return budget ? { againAfterMs: await reconcileBudget(parts, client, budget) } : {}
      },
    })
    const stale = context.reconcile({
      name: 'stale_pod_disruption',
      workers: 1,
      turn: (key, { client }) => dropStaleCondition(parts, client, key),
    })
    listers.budgets.subscribe(({ object, deleted }) => {
      if (!deleted) queue.add(keyOf(object))
    })
    listers.pods.subscribe(({ object, before, deleted }) => {
      const found = budgetsOf(object, listers.budgets)
      // A pod whose labels have changed may leave its former budgets.
      const left = before && before.metadata.labels !== object.metadata.labels ? budgetsOf(before, listers.budgets) : []
      for (const budget of [...found, ...left]) queue.add(keyOf(budget))
      if (found.length > 1 && !deleted) reportSeveralBudgets(context, object, found)
      if (!deleted && staleInMs(object, context.clock.now()) !== undefined) stale.add(keyOf(object))
    })
    const owners = [listers.deployments, listers.replicasets, listers.statefulsets, listers.replicationcontrollers]
    for (const informer of owners)
      informer.subscribe(({ object, before }) => {
        // Only the number of replicas of an owner matters.
        if (before?.spec.replicas === object.spec.replicas) return
        for (const budget of listers.budgets.in(object.metadata.namespace ?? ''))
          if (needsScale(budget)) queue.add(keyOf(budget))
      })
  },
}

/** Returns the milliseconds until the next turn. Without an expected count, no eviction is allowed. */
async function reconcileBudget(parts: Parts, client: Client, budget: SomeBudget): Promise<number | undefined> {
  const { clock, events } = parts.context
  try {
    const pods = podsOf(budget, parts.listers.pods)
    if (pods.length === 0) events.event(budget, 'Normal', 'NoPods', 'No matching pods found')
    const scale = needsScale(budget) ? await countWanted(parts, client, budget, pods) : 0
    const { status, notDeleted, againAfterMs } = plan({ budget, pods, scale }, clock.now())
    for (const pod of notDeleted) reportNotDeleted(parts.context, budget, pod)
    if (status) await writeStatus(client, budget, status)
    return againAfterMs
  } catch (error) {
    if (isConflict(error)) throw error
    const status = failSafe(budget, messageOf(error), clock.now())
    if (status) await writeStatus(client, budget, status)
    throw error
  }
}

async function countWanted(
  { context, listers, kinds }: Parts,
  client: Client,
  budget: SomeBudget,
  pods: readonly SomePod[],
): Promise<number> {
  const { known, others, unmanaged } = scalesOf(pods, listers)
  if (unmanaged.length > 0) {
    const message = `Pods selected by this PodDisruptionBudget (selector: ${JSON.stringify(budget.spec.selector)}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`
    context.events.event(budget, 'Warning', 'UnmanagedPods', message)
  }
  try {
    let wanted = known
    for (const owner of others) wanted += await scaleOf(owner, client, kinds)
    return wanted
  } catch (error) {
    const why = messageOf(error)
    const message = `Failed to calculate the number of expected pods: ${why}`
    context.events.event(budget, 'Warning', 'CalculateExpectedPodCountFailed', message)
    throw error
  }
}
