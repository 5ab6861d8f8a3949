import type { Deployment, ReplicaSet } from '../../../api/gen/apps/v1.ts'
import type { PodTemplateSpec } from '../../../api/gen/core/v1.ts'
import { type Frozen, scaledIntOrPercent, semanticEqual } from '../../object/index.ts'

export type SomeDeployment = Frozen<Deployment>
export type SomeSet = Frozen<ReplicaSet>

export const hashLabel = 'pod-template-hash'
const prefix = 'deployment.kubernetes.io/'
export const annotation = {
  revision: `${prefix}revision`,
  history: `${prefix}revision-history`,
  desired: `${prefix}desired-replicas`,
  most: `${prefix}max-replicas`,
  rollback: 'deprecated.deployment.rollback.to',
} as const
/** Annotations that are not copied between a deployment and its sets. */
const own = new Set<string>([...Object.values(annotation), 'kubectl.kubernetes.io/last-applied-configuration'])

export function wanted(of: { readonly spec: { readonly replicas?: number | undefined } }): number {
  return of.spec.replicas ?? 1
}

export function sum(sets: readonly SomeSet[], count: (set: SomeSet) => number): number {
  return sets.reduce((total, set) => total + count(set), 0)
}

export const available = (set: SomeSet): number => set.status.availableReplicas ?? 0

export function numberIn(set: SomeSet, name: string): number | undefined {
  const text = set.metadata.annotations?.[name]
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Any int64, since others may write the annotation; 0 without one. */
export function revisionOf(set: SomeSet): bigint {
  return parseRevision(set.metadata.annotations?.[annotation.revision]) ?? 0n
}

export function parseRevision(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[+-]?\d{1,19}$/.test(text)) return undefined
  const revision = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, revision) === revision ? revision : undefined
}

export function byRevision(left: SomeSet, right: SomeSet): number {
  return Number(revisionOf(left) > revisionOf(right)) - Number(revisionOf(left) < revisionOf(right))
}

export function byAge(left: SomeSet, right: SomeSet): number {
  const [first = '', second = ''] = [left.metadata.creationTimestamp, right.metadata.creationTimestamp]
  if (first !== second) return first < second ? -1 : 1
  return (left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1
}

export function isSameTemplate(left: Frozen<PodTemplateSpec>, right: Frozen<PodTemplateSpec>): boolean {
  return semanticEqual(withoutHash(left), withoutHash(right))
}

export function withoutHash(template: Frozen<PodTemplateSpec>): Frozen<PodTemplateSpec> {
  const { [hashLabel]: _, ...labels } = template.metadata.labels ?? {}
  return { ...template, metadata: { ...template.metadata, labels } }
}

/** Separates the new set from the old ones. It is the oldest set with the deployment's template. */
export function splitSets(
  { spec }: SomeDeployment,
  sets: readonly SomeSet[],
): { readonly newSet: SomeSet | undefined; readonly oldSets: readonly SomeSet[] } {
  const sorted = [...sets].sort(byAge)
  const newSet = sorted.find((set) => isSameTemplate(set.spec.template, spec.template))
  return { newSet, oldSets: sorted.filter((set) => set !== newSet) }
}

/** The numbers of surplus and of unavailable pods that a rollout allows. */
export function fenceposts(deployment: SomeDeployment): { readonly surge: number; readonly unavailable: number } {
  const replicas = wanted(deployment)
  const { type, rollingUpdate } = deployment.spec.strategy
  if (type === 'Recreate' || replicas === 0) return { surge: 0, unavailable: 0 }
  const surge = scaledIntOrPercent(rollingUpdate?.maxSurge ?? 0, replicas, 'up')
  const unavailable = scaledIntOrPercent(rollingUpdate?.maxUnavailable ?? 0, replicas, 'down')
  if (surge === 0 && unavailable === 0) return { surge, unavailable: 1 }
  return { surge, unavailable: Math.min(unavailable, replicas) }
}

/** Annotations of a set with its deployment's size, by which a later change of the size is detected. */
export function sizeAnnotations(deployment: SomeDeployment): Record<string, string> {
  const replicas = wanted(deployment)
  return {
    [annotation.desired]: String(replicas),
    [annotation.most]: String(replicas + fenceposts(deployment).surge),
  }
}

/** The annotations that are copied between a deployment and its sets, or the others. */
export function annotationsThat(
  which: 'pass' | 'stay',
  { metadata }: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> | undefined } },
): Record<string, string> {
  const all = Object.entries(metadata.annotations ?? {})
  return Object.fromEntries(all.filter(([name]) => own.has(name) === (which === 'stay')))
}

/** A set to write. */
export interface SetChange {
  readonly set: SomeSet
  /** Sizes for the event; equal where only annotations change. */
  readonly from: number
  readonly to: number
}

export function resized(deployment: SomeDeployment, set: SomeSet, replicas: number): SetChange {
  const annotations = { ...set.metadata.annotations, ...sizeAnnotations(deployment) }
  return {
    set: { ...set, metadata: { ...set.metadata, annotations }, spec: { ...set.spec, replicas } },
    from: wanted(set),
    to: replicas,
  }
}
