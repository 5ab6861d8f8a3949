import type { Deployment, ReplicaSet, StatefulSet } from '../../../api/gen/apps/v1.ts'
import type { Pod, ReplicationController } from '../../../api/gen/core/v1.ts'
import type { PodDisruptionBudget } from '../../../api/gen/policy/v1.ts'
import { controllerOf, joinKey, type Lister } from '../../controller/index.ts'
import { type Frozen, labelSelectorFromObject, parseGroupVersion, parseTime } from '../../object/index.ts'
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

/** An owner of another kind, whose scale subresource says how many pods it wants. */
export interface OtherOwner {
  readonly group: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

export interface Scales {
  /** Pods wanted by owners that are followed. */
  readonly known: number
  readonly others: readonly OtherOwner[]
  /** Pods that nothing controls: they count for no owner. */
  readonly unmanaged: readonly SomePod[]
}

/** The pods that the budget protects. Throws an Error for a selector that can't be read. */
export function podsOf({ metadata, spec }: SomeBudget, pods: Lister<Pod>): SomePod[] {
  const selector = labelSelectorFromObject(spec.selector)
  const found: SomePod[] = []
  for (const pod of pods.in(metadata.namespace ?? '')) if (selector.matches(pod.metadata.labels ?? {})) found.push(pod)
  return found
}

/** Budgets, by key, whose pods the pod is or was. */
export function budgetsOf(pod: SomePod, budgets: Lister<PodDisruptionBudget>): SomeBudget[] {
  const found: SomeBudget[] = []
  for (const budget of budgets.in(pod.metadata.namespace ?? '')) {
    try {
      if (labelSelectorFromObject(budget.spec.selector).matches(pod.metadata.labels ?? {})) found.push(budget)
    } catch {
      // A selector that can't be read selects nothing; the budget's own turn says so.
    }
  }
  return found
}

/** Each owner counts once, however many of the pods are its own. */
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

/** Undefined: owners of that kind aren't followed, or this one isn't shown. */
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

/** The deployment above a set says how many there should be: its sets change while it rolls out. */
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
 * Milliseconds until the pod's DisruptionTarget condition is stale, as nothing disrupted the pod after all; 0 or less: it
 * is. Undefined: there is none that could become so.
 */
export function staleInMs(pod: SomePod, nowMs: number): number | undefined {
  if (isTerminal(pod) || pod.metadata.deletionTimestamp !== undefined) return undefined
  const target = pod.status.conditions?.find(({ type }) => type === 'DisruptionTarget')
  if (target?.status !== 'True' || target.reason === 'TerminationByKubelet') return undefined
  const sinceMs = target.lastTransitionTime === undefined ? 0 : parseTime(target.lastTransitionTime)
  return sinceMs + staleMs - nowMs
}
