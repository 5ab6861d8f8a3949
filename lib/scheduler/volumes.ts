import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../api/gen/core/v1.ts'
import type { CSINode, StorageClass } from '../../api/gen/storage.k8s.io/v1.ts'
import { joinKey, type Lister } from '../controller/index.ts'
import { matchesNodeTerm } from '../kinds/index.ts'
import { compareQuantities, type Frozen, labelSelectorFromObject } from '../object/index.ts'
import type { NodeInfo } from './nodeinfo.ts'

export interface VolumeListers {
  readonly claims: Lister<PersistentVolumeClaim>
  readonly volumes: Lister<PersistentVolume>
  readonly classes: Lister<StorageClass>
  readonly csiNodes: Lister<CSINode>
}

type Claim = Frozen<PersistentVolumeClaim>
type Volume = Frozen<PersistentVolume>

/** Claims that have to be bound for a pod on a node. */
export interface ClaimPlan {
  /** Claims that take volumes which exist. */
  readonly bind: readonly { readonly claim: Claim; readonly volume: Volume }[]
  /** Claims for which volumes are to be made. */
  readonly provision: readonly Claim[]
}

/** The claims of a pod by what they need. */
export interface PodClaims {
  readonly bound: readonly { readonly claim: Claim; readonly volume: Volume }[]
  /** They wait for the pod's node. */
  readonly delayed: readonly { readonly claim: Claim; readonly class: Frozen<StorageClass> }[]
}

const noProvisioner = 'kubernetes.io/no-provisioner'
export const selectedNodeAnnotation = 'volume.kubernetes.io/selected-node'

/** Names of the claims of a pod. */
export function claimNames({ metadata, spec }: Frozen<Pod>): string[] {
  return (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) =>
    persistentVolumeClaim?.claimName
      ? [persistentVolumeClaim.claimName]
      : ephemeral
        ? [`${metadata.name ?? ''}-${name}`]
        : [],
  )
}

/** A text: why no node is possible. */
export function claimsOf(
  pod: Frozen<Pod>,
  { claims, volumes, classes }: VolumeListers,
): PodClaims | string | undefined {
  const names = claimNames(pod)
  if (names.length === 0) return undefined
  const bound: { claim: Claim; volume: Volume }[] = []
  const delayed: { claim: Claim; class: Frozen<StorageClass> }[] = []
  for (const name of names) {
    const claim = claims.get(joinKey(pod.metadata.namespace ?? '', name))
    if (!claim) return `persistentvolumeclaim "${name}" not found`
    if (claim.status.phase === 'Lost')
      return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec.volumeName ?? ''}"`
    if (claim.metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim "${name}" is being deleted`
    if (claim.spec.volumeName) {
      const volume = volumes.get(claim.spec.volumeName)
      if (!volume) return `persistentvolumeclaim "${name}" is bound to a volume that is not known`
      bound.push({ claim, volume })
      continue
    }
    const storageClass = classes.get(claim.spec.storageClassName ?? '')
    if (storageClass?.volumeBindingMode !== 'WaitForFirstConsumer')
      return 'pod has unbound immediate PersistentVolumeClaims'
    delayed.push({ claim, class: storageClass })
  }
  return { bound, delayed }
}

/** The bindings that the claims need on the node; a text: why the node can't have them. */
export function planClaims(
  { bound, delayed }: PodClaims,
  { node }: NodeInfo,
  { volumes }: VolumeListers,
): ClaimPlan | string {
  for (const { volume } of bound) if (!admits(volume, node)) return 'node(s) had volume node affinity conflict'
  const bind: { claim: Claim; volume: Volume }[] = []
  const provision: Claim[] = []
  const taken = new Set<string>()
  for (const { claim, class: storageClass } of delayed) {
    const volume = smallest(
      [...volumes.all()].filter(
        (each) => !taken.has(each.metadata.name ?? '') && admits(each, node) && suits(each, claim),
      ),
    )
    if (volume) {
      taken.add(volume.metadata.name ?? '')
      bind.push({ claim, volume })
      continue
    }
    if (storageClass.provisioner === noProvisioner) return "node(s) didn't find available persistent volumes to bind"
    if (!allows(storageClass, node)) return "node(s) didn't find available persistent volumes to bind"
    provision.push(claim)
  }
  return { bind, provision }
}

function admits({ spec }: Volume, node: NodeInfo['node']): boolean {
  const required = spec.nodeAffinity?.required
  return required === undefined || (required.nodeSelectorTerms ?? []).some((term) => matchesNodeTerm(term, node))
}

/** A volume that is free, or kept for the claim, and as the claim wants it. */
function suits({ metadata, spec, status }: Volume, claim: Claim): boolean {
  const { claimRef } = spec
  if (claimRef && (claimRef.name !== claim.metadata.name || claimRef.namespace !== claim.metadata.namespace))
    return false
  if (!claimRef && status.phase !== 'Available') return false
  if (metadata.deletionTimestamp !== undefined) return false
  if ((spec.storageClassName ?? '') !== (claim.spec.storageClassName ?? '')) return false
  if ((spec.volumeMode ?? 'Filesystem') !== (claim.spec.volumeMode ?? 'Filesystem')) return false
  if (claim.spec.selector && !labelSelectorFromObject(claim.spec.selector).matches(metadata.labels)) return false
  if (!(claim.spec.accessModes ?? []).every((mode) => spec.accessModes?.includes(mode))) return false
  const wanted = claim.spec.resources.requests?.['storage'] ?? '0'
  return compareQuantities(spec.capacity?.['storage'] ?? '0', wanted) >= 0
}

function smallest(volumes: readonly Volume[]): Volume | undefined {
  const sizeOf = ({ spec }: Volume): string => spec.capacity?.['storage'] ?? '0'
  return volumes.toSorted(
    (left, right) =>
      compareQuantities(sizeOf(left), sizeOf(right)) ||
      ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1),
  )[0]
}

function allows({ allowedTopologies = [] }: Frozen<StorageClass>, { metadata }: NodeInfo['node']): boolean {
  if (allowedTopologies.length === 0) return true
  return allowedTopologies.some(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.every(({ key, values = [] }) => values.includes(metadata.labels?.[key] ?? '')),
  )
}
