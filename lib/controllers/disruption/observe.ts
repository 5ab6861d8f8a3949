import type { Deployment, ReplicaSet, StatefulSet } from '../../../api/gen/apps/v1.ts'
import type { Scale } from '../../../api/gen/autoscaling/v1.ts'
import type { Pod, ReplicationController } from '../../../api/gen/core/v1.ts'
import type { PodDisruptionBudget } from '../../../api/gen/policy/v1.ts'
import type { Client } from '../../client/index.ts'
import { controllerOf, isNotFound, joinKey, type KindMapper, type Lister } from '../../controller/index.ts'
import { type Frozen, labelSelectorFromObject, parseGroupVersion, parseTime, StatusError } from '../../object/index.ts'
import { isTerminal } from '../shared/podstate.ts'
import type { SomeBudget, SomePod } from './plan.ts'

export interface Listers {
  readonly budgets: Lister<PodDisruptionBudget>
  readonly pods: Lister<Pod>
  readonly deployments: Lister<Deployment>
  readonly replicasets: Lister<ReplicaSet>
  readonly statefulsets: Lister<StatefulSet>
  readonly replicationcontrollers: Lister<ReplicationController>
}

/** An owner of another kind, whose scale subresource gives the number of replicas. */
export interface OtherOwner {
  readonly group: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

export interface Scales {
  /** Replicas of the owners that informers show. */
  readonly known: number
  readonly others: readonly OtherOwner[]
  /** Pods without a controller. */
  readonly unmanaged: readonly SomePod[]
}

/** The pods that the budget protects. Throws an Error for an invalid selector. */
export function podsOf({ metadata, spec }: SomeBudget, pods: Lister<Pod>): SomePod[] {
  const selector = labelSelectorFromObject(spec.selector)
  const found: SomePod[] = []
  for (const pod of pods.in(metadata.namespace ?? '')) if (selector.matches(pod.metadata.labels ?? {})) found.push(pod)
  return found
}

/** The budgets that select the pod. */
export function budgetsOf(pod: SomePod, budgets: Lister<PodDisruptionBudget>): SomeBudget[] {
  const found: SomeBudget[] = []
  for (const budget of budgets.in(pod.metadata.namespace ?? '')) {
    try {
      if (labelSelectorFromObject(budget.spec.selector).matches(pod.metadata.labels ?? {})) found.push(budget)
    } catch {
      // An invalid selector selects nothing; the budget's turn reports it.
    }
  }
  return found
}

/** Counts each owner once, however many of the pods it has. */
export function scalesOf(pods: readonly SomePod[], listers: Listers): Scales {
  const sizes = new Map<string, number>()
  const others = new Map<string, OtherOwner>()
  const unmanaged: SomePod[] = []
  for (const pod of pods) {
    const owner = controllerOf(pod)
    if (!owner) {
      unmanaged.push(pod)
      continue
    }
    const { apiVersion, kind, name, uid } = owner
    const of = {
      group: parseGroupVersion(apiVersion)?.group ?? '',
      kind,
      namespace: pod.metadata.namespace ?? '',
      name,
      uid,
    }
    const found = sizeOf(of, listers)
    if (found) sizes.set(found.uid, found.replicas)
    else others.set(uid, of)
  }
  const known = [...sizes.values()].reduce((all, size) => all + size, 0)
  return { known, others: [...others.values()], unmanaged }
}

interface Size {
  readonly uid: string
  readonly replicas: number
}

/** Undefined: there is no informer of that kind, or it does not show this owner. */
function sizeOf({ group, kind, namespace, name, uid }: OtherOwner, listers: Listers): Size | undefined {
  const key = joinKey(namespace, name)
  switch (`${group}/${kind}`) {
    case 'apps/ReplicaSet':
      return sizeOfSet(key, uid, listers)
    case 'apps/StatefulSet':
      return sizeIf(listers.statefulsets.get(key), uid)
    case '/ReplicationController':
      return sizeIf(listers.replicationcontrollers.get(key), uid)
    default:
      return undefined
  }
}

/** The size of a set's Deployment counts: the sizes of its sets change during a rollout. */
function sizeOfSet(key: string, uid: string, { replicasets, deployments }: Listers): Size | undefined {
  const set = replicasets.get(key)
  if (set?.metadata.uid !== uid) return undefined
  const above = controllerOf(set)
  if (above?.kind !== 'Deployment') return sizeIf(set, uid)
  const deployment = deployments.get(joinKey(set.metadata.namespace ?? '', above.name))
  return sizeIf(deployment, above.uid)
}

function sizeIf(
  owner: Frozen<{ metadata: { uid?: string }; spec: { replicas?: number } }> | undefined,
  uid: string,
): Size | undefined {
  return owner?.metadata.uid === uid ? { uid, replicas: owner.spec.replicas ?? 1 } : undefined
}

const staleMs = 2 * 60_000

/**
 * Milliseconds until the pod's DisruptionTarget condition is stale because no disruption followed; 0 or less: it is.
 * Undefined: it has no such condition.
 */
export function staleInMs(pod: SomePod, nowMs: number): number | undefined {
  if (isTerminal(pod) || pod.metadata.deletionTimestamp !== undefined) return undefined
  const target = pod.status.conditions?.find(({ type }) => type === 'DisruptionTarget')
  if (target?.status !== 'True' || target.reason === 'TerminationByKubelet') return undefined
  const sinceMs = target.lastTransitionTime === undefined ? 0 : parseTime(target.lastTransitionTime)
  return sinceMs + staleMs - nowMs
}

/** The replicas of an owner of any kind; 0 once it is deleted. */
export async function scaleOf(owner: OtherOwner, client: Client, kinds: KindMapper): Promise<number> {
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
