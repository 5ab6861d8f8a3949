import type { DaemonSet, Deployment, ReplicaSet } from '../../../../api/gen/apps/v1.ts'
import type { Pod } from '../../../../api/gen/core/v1.ts'
import { resources } from '../../../../api/gen/resources.ts'
import { controllerOf, joinKey, keyOf } from '../../../../lib/controller/index.ts'
import { type ApiObject, deepEqual, type Frozen } from '../../../../lib/object/index.ts'
import { isActive, isTerminal, type View } from '../view.ts'
import { Violation } from '../violation.ts'

const { replicasets, statefulsets, daemonsets, deployments } = resources.apps.v1
const { replicationcontrollers } = resources.core.v1

/** A controller has made a pod. */
export function podMade(view: View, pod: Frozen<Pod>): void {
  const owner = controllerOf(pod)
  if (owner?.kind === 'ReplicaSet') replicaMade(view, replicasets, pod, owner.uid)
  else if (owner?.kind === 'ReplicationController') replicaMade(view, replicationcontrollers, pod, owner.uid)
  else if (owner?.kind === 'StatefulSet') ordinalMade(view, pod, owner.uid)
  else if (owner?.kind === 'DaemonSet') daemonMade(view, pod, owner.uid)
}

/** A controller is about to delete a pod. */
export function podDeleted(view: View, account: string, pod: Frozen<Pod>): void {
  const owner = controllerOf(pod)
  if (account === 'statefulset-controller' && owner?.kind === 'StatefulSet') ordinalDeleted(view, pod, owner.uid)
  if (account === 'replicaset-controller' && owner) replicaDeleted(view, pod, owner.uid)
}

type Replicated = { readonly spec: { readonly replicas?: number | undefined } }

function replicaMade(
  view: View,
  type: typeof replicasets | typeof replicationcontrollers,
  pod: Frozen<Pod>,
  uid: string,
) {
  const versions = view.versions(type as typeof replicasets, uid) as readonly Replicated[]
  const most = Math.max(0, ...versions.map(({ spec }) => spec.replicas ?? 1)) * view.leaders
  const { app } = pod.metadata.labels ?? {}
  const active = view.pods(uid).filter((each) => isActive(each) && each.metadata.labels?.['app'] === app)
  if (active.length > most)
    throw new Violation(`${keyOf(pod)} is pod ${active.length} of a set of ${most}: ${active.map(keyOf).join(' ')}`)
}

/** No more is deleted than there is too much, by what the controller may have seen. */
function replicaDeleted(view: View, pod: Frozen<Pod>, uid: string): void {
  if (view.leaders > 1) return
  const versions = view.versions(replicasets, uid)
  const least = Math.min(
    ...versions.map(({ spec, metadata }) => (metadata.deletionTimestamp ? 0 : (spec.replicas ?? 1))),
  )
  const active = view.pods(uid).filter(isActive)
  const seen = Array.from(view.seenActive()).filter(
    (lost) => controllerOf(lost.pod)?.uid === uid && lost.deletedBy !== 'replicaset-controller',
  )
  if (isActive(pod) && active.length + seen.length <= least)
    throw new Violation(`${keyOf(pod)} is deleted from a set that has ${active.length} pods and wants ${least}`)
}

/** The deployment controller has changed a set. */
export function setScaled(view: View, before: Frozen<ApiObject> | undefined, after: Frozen<ApiObject>): void {
  const owner = controllerOf(after)
  if (owner?.kind !== 'Deployment') return
  const replicasOf = (object: Frozen<ApiObject> | undefined): number =>
    object ? ((object as Frozen<ReplicaSet>).spec.replicas ?? 1) : 0
  const versions = view.versions(deployments, owner.uid)
  if (before && replicasOf(after) < replicasOf(before)) setReduced(view, before, after, versions)
  if (replicasOf(after) <= replicasOf(before)) return
  const most = Math.max(0, ...versions.map(mostReplicas)) * view.leaders
  const sets = view.truth.all(replicasets).filter((set) => controllerOf(set)?.uid === owner.uid)
  const total = sets.reduce((sum, set) => sum + replicasOf(set as Frozen<ApiObject>), 0)
  if (total > most)
    throw new Violation(`the sets of deployment ${owner.name} have ${total} replicas, more than ${most}`)
}

/** A set gets no smaller where that takes more available pods than the deployment may be without. */
function setReduced(
  view: View,
  before: Frozen<ApiObject>,
  after: Frozen<ApiObject>,
  versions: readonly Frozen<Deployment>[],
): void {
  const owner = controllerOf(after)
  if (view.leaders > 1 || !owner || versions.length === 0) return
  const least = Math.min(...versions.map(leastAvailable))
  const kept = (set: Frozen<ReplicaSet>): number => {
    const seen = view.versions(replicasets, set.metadata.uid ?? '').map(({ status }) => status?.availableReplicas ?? 0)
    return Math.min(set.spec.replicas ?? 1, Math.max(0, ...seen))
  }
  const { uid } = after.metadata
  const others = view.truth
    .all(replicasets)
    .filter((set) => controllerOf(set)?.uid === owner.uid && set.metadata.uid !== uid)
    .reduce((sum, set) => sum + kept(set), 0)
  const left = others + kept(after as Frozen<ReplicaSet>)
  if (left < least && left < others + kept(before as Frozen<ReplicaSet>))
    throw new Violation(`deployment ${owner.name} keeps ${left} available pods, fewer than ${least}`)
}

function leastAvailable({ spec: { replicas = 1, strategy }, metadata }: Frozen<Deployment>): number {
  if (strategy?.type === 'Recreate' || metadata.deletionTimestamp !== undefined) return 0
  const { maxSurge = '25%', maxUnavailable = '25%' } = strategy?.rollingUpdate ?? {}
  const unavailable =
    typeof maxUnavailable === 'number'
      ? maxUnavailable
      : Math.floor((Number.parseInt(maxUnavailable, 10) * replicas) / 100)
  return replicas - (unavailable === 0 && amountOf(maxSurge, replicas) === 0 ? 1 : unavailable)
}

function mostReplicas({ spec: { replicas = 1, strategy } }: Frozen<Deployment>): number {
  if (strategy?.type === 'Recreate') return replicas
  return replicas + amountOf(strategy?.rollingUpdate?.maxSurge ?? '25%', replicas)
}

export function amountOf(amount: number | string, of: number): number {
  return typeof amount === 'number' ? amount : Math.ceil((Number.parseInt(amount, 10) * of) / 100)
}

function ordinalOf(name: string): number {
  return Number(name.slice(name.lastIndexOf('-') + 1))
}

function ordinalMade(view: View, pod: Frozen<Pod>, uid: string): void {
  const { namespace = '', name = '' } = pod.metadata
  const ordinal = ordinalOf(name)
  const versions = view.versions(statefulsets, uid)
  if (!versions.some(({ spec }) => ordinal < (spec.replicas ?? 1)))
    throw new Violation(`${keyOf(pod)} was made, though the set wants ${versions.at(-1)?.spec.replicas}`)
  const isOrdered = versions.every(({ spec }) => spec.podManagementPolicy !== 'Parallel')
  const prefix = name.slice(0, name.lastIndexOf('-'))
  for (let lower = 0; isOrdered && lower < ordinal; lower++) {
    const key = joinKey(namespace, `${prefix}-${lower}`)
    if (!view.maySeeReady(key)) throw new Violation(`${keyOf(pod)} was made, though ${key} is not ready`)
  }
}

function ordinalDeleted(view: View, pod: Frozen<Pod>, uid: string): void {
  const ordinal = ordinalOf(pod.metadata.name ?? '')
  const versions = view.versions(statefulsets, uid)
  if (isTerminal(pod.status.phase) || versions.length === 0) return
  const isCondemned = versions.some(({ spec }) => ordinal >= (spec.replicas ?? 1))
  const [first] = versions
  const isChanged = versions.some(({ spec }) => !deepEqual(spec.template, first?.spec.template))
  const revision = pod.metadata.labels?.['controller-revision-hash']
  const mayUpdate = versions.some(
    ({ spec, status, metadata }) =>
      ordinal >= (spec.updateStrategy?.rollingUpdate?.partition ?? 0) &&
      // The status shows a new template only at the end of the turn that updates the first pod.
      (isChanged || status.updateRevision !== revision || status.observedGeneration !== metadata.generation),
  )
  if (!isCondemned && !mayUpdate)
    throw new Violation(`${keyOf(pod)} is deleted, which is in order and protected by its partition`)
  if (mayUpdate || view.leaders > 1 || versions.some(({ spec }) => spec.podManagementPolicy === 'Parallel')) return
  const higher = view.pods(uid).find((each) => ordinalOf(each.metadata.name ?? '') > ordinal)
  if (higher) throw new Violation(`${keyOf(pod)} is deleted before ${keyOf(higher)}`)
}

function daemonMade(view: View, pod: Frozen<Pod>, uid: string): void {
  if (view.leaders > 1) return
  const node = nodeOf(pod)
  const { app } = pod.metadata.labels ?? {}
  const others = view
    .pods(uid)
    .filter((each) => each !== pod && nodeOf(each) === node && !isTerminal(each.status.phase))
    .filter((each) => each.metadata.uid !== pod.metadata.uid && each.metadata.labels?.['app'] === app)
  const surges = view.versions(daemonsets, uid).some(surgesOf)
  const alive = surges ? others.filter(isActive) : others
  if (alive.length > (surges ? 1 : 0))
    throw new Violation(`${keyOf(pod)} was made for ${node}, beside ${others.map(keyOf).join(' ')}`)
}

function surgesOf({ spec }: Frozen<DaemonSet>): boolean {
  const surge = spec.updateStrategy?.rollingUpdate?.maxSurge ?? 0
  return surge !== 0 && surge !== '0%'
}

export function nodeOf({ spec }: Frozen<Pod>): string | undefined {
  if (spec.nodeName) return spec.nodeName
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  return terms[0]?.matchFields?.[0]?.values?.[0]
}
