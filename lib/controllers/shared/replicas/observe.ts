import type { Pod, PodTemplateSpec } from '../../../../api/gen/core/v1.ts'
import { controllerOf, type Lister } from '../../../controller/index.ts'
import type { ApiObject, Frozen, LabelSelector } from '../../../object/index.ts'
import { type Claim, candidates, claim } from '../claim.ts'
import { isActive, isTerminating } from '../podstate.ts'
import type { ReplicaStatus } from './plan.ts'

/** A ReplicaSet or a ReplicationController. */
export interface ReplicaOwner {
  readonly object: Frozen<ApiObject>
  readonly replicas: number
  readonly selector: LabelSelector
  readonly template: Frozen<PodTemplateSpec>
  readonly minReadySeconds: number
  readonly status: Frozen<ReplicaStatus>
}

/** One owner and its pods, as the informers show them. */
export interface Observed extends ReplicaOwner {
  readonly claim: Claim<Pod>
  /** Pods that have not finished and are not being deleted. */
  readonly active: readonly Frozen<Pod>[]
  /** Number of pods that are being deleted; undefined: the status does not report it. */
  readonly terminating: number | undefined
  /** Numbers of active pods by node, of all owners under the same controller, such as one Deployment. */
  readonly relatedByNode: ReadonlyMap<string, number>
}

interface Listers {
  readonly owners: Lister<ApiObject>
  readonly pods: Lister<Pod>
}

/** Undefined: the owner does not exist. */
export function observe(
  { owners, pods }: Listers,
  key: string,
  read: (object: Frozen<ApiObject>) => ReplicaOwner,
  reportsTerminating: boolean,
): Observed | undefined {
  const object = owners.get(key)
  if (object === undefined) return undefined
  const owner = read(object)
  const claimed = claim<Pod>(object, owner.selector, candidates<Pod>(pods, object))
  const active = claimed.owned.filter(isActive)
  // Needed for the choice of surplus pods only.
  const relatedByNode =
    active.length > owner.replicas ? countRelated({ owners, pods }, object) : new Map<string, number>()
  const terminating = reportsTerminating ? claimed.owned.filter(isTerminating).length : undefined
  return { ...owner, claim: claimed, active, terminating, relatedByNode }
}

function countRelated({ owners, pods }: Listers, object: Frozen<ApiObject>): ReadonlyMap<string, number> {
  const controller = controllerOf(object)
  const relatedByNode = new Map<string, number>()
  for (const other of owners.in(object.metadata.namespace ?? '')) {
    const isRelated = controller ? controllerOf(other)?.uid === controller.uid : other === object
    if (!isRelated) continue
    for (const pod of candidates<Pod>(pods, other)) {
      const node = pod.spec.nodeName ?? ''
      if (node !== '' && isActive(pod) && controllerOf(pod)?.uid === other.metadata.uid)
        relatedByNode.set(node, (relatedByNode.get(node) ?? 0) + 1)
    }
  }
  return relatedByNode
}
