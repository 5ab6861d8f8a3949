import type { Scale } from '../../../api/gen/autoscaling/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import {
  type ControllerContext,
  type ControllerDefinition,
  createKindMapper,
  isConflict,
  isNotFound,
  type KindMapper,
  keyOf,
} from '../../controller/index.ts'
import { StatusError } from '../../object/index.ts'
import { budgetsOf, type Listers, type OtherOwner, podsOf, scalesOf, staleInMs } from './observe.ts'
import {
  failSafe,
  needsScale,
  type Plan,
  plan,
  type SomeBudget,
  type SomePod,
  withoutDisruptionTarget,
} from './plan.ts'

const { poddisruptionbudgets } = resources.policy.v1
const { pods: podsType, replicationcontrollers } = resources.core.v1
const { deployments, replicasets, statefulsets } = resources.apps.v1
type Status = NonNullable<Plan['status']>

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
      if (found.length > 1 && !deleted) reportSeveral(context, object, found)
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

interface Parts {
  readonly context: ControllerContext
  readonly listers: Listers
  readonly kinds: KindMapper
}

function reportSeveral({ events }: ControllerContext, pod: SomePod, budgets: readonly SomeBudget[]): void {
  const { namespace = '', name = '' } = pod.metadata
  const chosen = budgets[0]?.metadata.name ?? ''
  const message = `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${chosen}" arbitrarily.`
  events.event(pod, 'Warning', 'MultiplePodDisruptionBudgets', message)
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
    if (status) await write(client, budget, status)
    return againAfterMs
  } catch (error) {
    if (isConflict(error)) throw error
    const status = failSafe(budget, error instanceof Error ? error.message : String(error), clock.now())
    if (status) await write(client, budget, status)
    throw error
  }
}

function reportNotDeleted({ events }: ControllerContext, { metadata }: SomeBudget, pod: SomePod): void {
  // The stock message has the namespace twice.
  const message = `Pod was expected by PDB ${metadata.namespace}/${metadata.namespace} to be deleted but it wasn't`
  events.event(pod, 'Warning', 'NotDeleted', message)
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
    const why = error instanceof Error ? error.message : String(error)
    const message = `Failed to calculate the number of expected pods: ${why}`
    context.events.event(budget, 'Warning', 'CalculateExpectedPodCountFailed', message)
    throw error
  }
}

/** The replicas of an owner of any kind; 0 once it is deleted. */
async function scaleOf(owner: OtherOwner, client: Client, kinds: KindMapper): Promise<number> {
  const { group, kind, namespace, name, uid } = owner
  const type = await kinds.resourceOf(group, kind)
  if (!type) throw new Error(`${kind} does not implement the scale subresource`)
  try {
    const scale = await client.resource(type).subresource<Scale>('scale').get({ namespace, name })
    return scale.metadata.uid === uid ? (scale.spec?.replicas ?? 0) : 0
  } catch (error) {
    if (!isNotFound(error)) throw error
    // The answer names a missing owner, but not a kind without the subresource.
    if (error instanceof StatusError && error.details?.name === name) return 0
    throw new Error(`${type.resource}.${group} does not implement the scale subresource`, { cause: error })
  }
}

async function write(client: Client, budget: SomeBudget, status: Status): Promise<void> {
  try {
    await client.resource(poddisruptionbudgets).updateStatus({ ...budget, status })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

async function dropStaleCondition(
  { context, listers }: Parts,
  client: Client,
  key: string,
): Promise<{ againAfterMs?: number }> {
  const pod = listers.pods.get(key)
  const nowMs = context.clock.now()
  const leftMs = pod && staleInMs(pod, nowMs)
  if (!pod || leftMs === undefined) return {}
  if (leftMs > 0) return { againAfterMs: leftMs }
  try {
    await client.resource(podsType).updateStatus(withoutDisruptionTarget(pod, nowMs))
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
  return {}
}
