import { resources } from '../../../api/gen/resources.ts'
import type { Client } from '../../client/index.ts'
import { type ControllerContext, isNotFound, type KindMapper } from '../../controller/index.ts'
import { type Listers, staleInMs } from './observe.ts'
import { type Plan, type SomeBudget, type SomePod, withoutDisruptionTarget } from './plan.ts'

const { poddisruptionbudgets } = resources.policy.v1
const { pods: podsType } = resources.core.v1
type Status = NonNullable<Plan['status']>

export interface Parts {
  readonly context: ControllerContext
  readonly listers: Listers
  readonly kinds: KindMapper
}

export async function writeStatus(client: Client, budget: SomeBudget, status: Status): Promise<void> {
  try {
    await client.resource(poddisruptionbudgets).updateStatus({ ...budget, status })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

export async function dropStaleCondition(
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

export function reportSeveralBudgets(
  { events }: ControllerContext,
  pod: SomePod,
  budgets: readonly SomeBudget[],
): void {
  const { namespace = '', name = '' } = pod.metadata
  const chosen = budgets[0]?.metadata.name ?? ''
  const message = `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${chosen}" arbitrarily.`
  events.event(pod, 'Warning', 'MultiplePodDisruptionBudgets', message)
}

export function reportNotDeleted({ events }: ControllerContext, { metadata }: SomeBudget, pod: SomePod): void {
  // The stock message has the namespace twice.
  const message = `Pod was expected by PDB ${metadata.namespace}/${metadata.namespace} to be deleted but it wasn't`
  events.event(pod, 'Warning', 'NotDeleted', message)
}
