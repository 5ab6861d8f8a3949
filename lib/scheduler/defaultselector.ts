import type { ReplicaSet, StatefulSet } from '../../api/gen/apps/v1.ts'
import type { Pod, ReplicationController, Service } from '../../api/gen/core/v1.ts'
import { resources } from '../../api/gen/resources.ts'
import { type ControllerContext, controllerOf, joinKey, type Lister } from '../controller/index.ts'
import { type Frozen, type LabelSelector, labelSelectorFromObject } from '../object/index.ts'

export interface WorkloadListers {
  readonly services: Lister<Service>
  readonly replicationControllers: Lister<ReplicationController>
  readonly replicaSets: Lister<ReplicaSet>
  readonly statefulSets: Lister<StatefulSet>
}

interface Requirement {
  key: string
  operator: string
  values?: string[]
}

/** Requests informers of what pods may belong to: for profiles that have default constraints. */
export function workloadListers(context: ControllerContext): WorkloadListers {
  return {
    services: context.informer(resources.core.v1.services),
    replicationControllers: context.informer(resources.core.v1.replicationcontrollers),
    replicaSets: context.informer(resources.apps.v1.replicasets),
    statefulSets: context.informer(resources.apps.v1.statefulsets),
  }
}

/**
 * Selects the pods that belong together with this one: those of all services that select it and of its controller.
 * Undefined: it belongs to none.
 */
export function defaultSelector(pod: Frozen<Pod>, listers: WorkloadListers): LabelSelector | undefined {
  const matchLabels: Record<string, string> = {}
  const { namespace = '', labels = {} } = pod.metadata
  for (const service of listers.services.all()) {
    if (service.metadata.namespace !== namespace) continue
    const selector = Object.entries(service.spec.selector ?? {})
    if (selector.length > 0 && selector.every(([key, value]) => labels[key] === value))
      Object.assign(matchLabels, service.spec.selector)
  }
  const matchExpressions: Requirement[] = []
  const owner = controllerOf(pod)
  const key = joinKey(namespace, owner?.name ?? '')
  if (owner?.kind === 'ReplicationController')
    Object.assign(matchLabels, listers.replicationControllers.get(key)?.spec.selector)
  const set =
    owner?.kind === 'ReplicaSet'
      ? listers.replicaSets.get(key)
      : owner?.kind === 'StatefulSet'
        ? listers.statefulSets.get(key)
        : undefined
  Object.assign(matchLabels, set?.spec.selector?.matchLabels)
  for (const { key: label, operator, values } of set?.spec.selector?.matchExpressions ?? [])
    matchExpressions.push({ key: label, operator, ...(values ? { values: [...values] } : {}) })
  if (Object.keys(matchLabels).length + matchExpressions.length === 0) return undefined
  return labelSelectorFromObject({ matchLabels, matchExpressions })
}
