import type { StatefulSet } from '../../../api/gen/apps/v1.ts'
import type { PersistentVolumeClaim, Pod, PodTemplateSpec, Volume } from '../../../api/gen/core/v1.ts'
import type { Frozen } from '../../object/index.ts'
import { podFromTemplate } from '../shared/podcontrol.ts'

export type SomeSet = Frozen<StatefulSet>
export type SomePod = Frozen<Pod>
export type SomeClaim = Frozen<PersistentVolumeClaim>

export const revisionLabel = 'controller-revision-hash'
const podNameLabel = 'statefulset.kubernetes.io/pod-name'
const podIndexLabel = 'apps.kubernetes.io/pod-index'

/** The names of pods with larger ordinals could not be parsed. */
const ordinalMax = 2_147_483_647

/** `web` and 3 of `web-3`; undefined for names that no set generates. */
export function parentAndOrdinal(
  name: string | undefined,
): { readonly parent: string; readonly ordinal: number } | undefined {
  const found = /^([\s\S]*)-([0-9]+)$/.exec(name ?? '')
  const ordinal = Number(found?.[2])
  return found && ordinal <= ordinalMax ? { parent: found[1] ?? '', ordinal } : undefined
}

/** The pod has a name of the set. */
export function isMember(set: SomeSet, pod: SomePod): boolean {
  return parentAndOrdinal(pod.metadata.name)?.parent === set.metadata.name
}

export function ordinalOf(pod: SomePod): number {
  return parentAndOrdinal(pod.metadata.name)?.ordinal ?? -1
}

export function startOf({ spec }: SomeSet): number {
  return spec.ordinals?.start ?? 0
}

export function replicasOf({ spec }: SomeSet): number {
  return spec.replicas ?? 1
}

/** The ordinal after the last one. */
export function endOf(set: SomeSet): number {
  return Math.min(startOf(set) + replicasOf(set), ordinalMax + 1)
}

export function isInRange(set: SomeSet, ordinal: number): boolean {
  return ordinal >= startOf(set) && ordinal < endOf(set)
}

export function claimName(set: SomeSet, template: SomeClaim, ordinal: number): string {
  return `${template.metadata.name ?? ''}-${set.metadata.name ?? ''}-${ordinal}`
}

/** The claims to be created for one pod. */
export function claimsOf(set: SomeSet, ordinal: number): SomeClaim[] {
  return (set.spec.volumeClaimTemplates ?? []).map((template) => ({
    ...template,
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...template.metadata,
      name: claimName(set, template, ordinal),
      namespace: set.metadata.namespace,
      labels: { ...template.metadata.labels, ...set.spec.selector?.matchLabels },
    },
  }))
}

export function podOf(
  set: SomeSet,
  ordinal: number,
  { name: revision, template }: { readonly name: string; readonly template: Frozen<PodTemplateSpec> },
): SomePod {
  const base = podFromTemplate(set, template).metadata
  const name = `${set.metadata.name ?? ''}-${ordinal}`
  const labels = { ...base.labels, ...identityLabels(name, ordinal), [revisionLabel]: revision }
  const spec = { ...template.spec, hostname: name, subdomain: set.spec.serviceName }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...base, name, labels },
    spec: withClaims(set, ordinal, spec),
    status: {},
  }
}

/** An existing pod with the right labels and volumes; undefined: it has them. */
export function correctedPod(set: SomeSet, pod: SomePod): SomePod | undefined {
  const { name = '', labels } = pod.metadata
  const ordinal = ordinalOf(pod)
  const isRight = labels?.[podNameLabel] === name && hasClaims(set, ordinal, pod)
  if (isRight) return undefined
  return {
    ...pod,
    metadata: { ...pod.metadata, labels: { ...labels, ...identityLabels(name, ordinal) } },
    spec: withClaims(set, ordinal, pod.spec),
  }
}

function identityLabels(name: string, ordinal: number): Record<string, string> {
  return { [podNameLabel]: name, [podIndexLabel]: String(ordinal) }
}

function hasClaims(set: SomeSet, ordinal: number, { spec }: SomePod): boolean {
  return (set.spec.volumeClaimTemplates ?? []).every((template) => {
    const volume = spec.volumes?.find(({ name }) => name === template.metadata.name)
    return volume?.persistentVolumeClaim?.claimName === claimName(set, template, ordinal)
  })
}

/** Claims replace volumes of the same name. */
function withClaims(set: SomeSet, ordinal: number, spec: SomePod['spec']): SomePod['spec'] {
  const templates = set.spec.volumeClaimTemplates ?? []
  if (templates.length === 0) return spec
  const names = new Set(templates.map(({ metadata }) => metadata.name))
  const claimed: Frozen<Volume>[] = templates.map((template) => ({
    name: template.metadata.name ?? '',
    persistentVolumeClaim: { claimName: claimName(set, template, ordinal), readOnly: false },
  }))
  return { ...spec, volumes: [...claimed, ...(spec.volumes ?? []).filter(({ name }) => !names.has(name))] }
}
