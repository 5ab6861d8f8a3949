import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../../api/gen/core/v1.ts'
import type { StorageClass } from '../../../api/gen/storage.k8s.io/v1.ts'
import type { Lister } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'

export type Volume = Frozen<PersistentVolume>
export type Claim = Frozen<PersistentVolumeClaim>
export type Class = Frozen<StorageClass>

/** The objects by which a claim or volume is planned. */
export interface Seen {
  readonly claims: Lister<PersistentVolumeClaim>
  readonly volumes: Lister<PersistentVolume>
  readonly classes: Lister<StorageClass>
  readonly pods: Lister<Pod>
  /** `--enable-dynamic-provisioning`. */
  readonly provisions: boolean
  /** `--enable-hostpath-provisioner`. */
  readonly makesFolders: boolean
  /** The gate VolumeAttributesClass. */
  readonly attributesClasses: boolean
}

/** One write. `object` is the whole object, without the results of earlier steps of the plan. */
export type Step =
  | { readonly write: 'volume' | 'volumeStatus'; readonly object: Volume }
  | { readonly write: 'claim' | 'claimStatus' | 'claimClass'; readonly object: Claim }
  /** `folder`: the volume's folder on this machine, created or deleted before the volume. */
  | { readonly write: 'newVolume'; readonly object: Volume; readonly folder: string }
  | { readonly write: 'noVolume'; readonly object: Volume; readonly folder: string }

export interface PlannedEvent {
  readonly about: Volume | Claim
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** Writes in order, each after the success of the one before; then events. */
export interface Plan {
  readonly steps: readonly Step[]
  readonly events: readonly PlannedEvent[]
}

export const nothing: Plan = { steps: [], events: [] }

export const annotations = {
  boundByController: 'pv.kubernetes.io/bound-by-controller',
  bindCompleted: 'pv.kubernetes.io/bind-completed',
  provisionedBy: 'pv.kubernetes.io/provisioned-by',
  migratedTo: 'pv.kubernetes.io/migrated-to',
  selectedNode: 'volume.kubernetes.io/selected-node',
  provisioner: 'volume.kubernetes.io/storage-provisioner',
  betaProvisioner: 'volume.beta.kubernetes.io/storage-provisioner',
  betaClass: 'volume.beta.kubernetes.io/storage-class',
} as const

export function has({ metadata }: Volume | Claim, annotation: string): boolean {
  return metadata.annotations?.[annotation] !== undefined
}

/** A copy with these annotations set, or removed where the value is undefined. */
export function annotated<T extends Volume | Claim>(object: T, set: Readonly<Record<string, string | undefined>>): T {
  const kept = Object.entries({ ...object.metadata.annotations, ...set }).filter(([, value]) => value !== undefined)
  const { annotations: _, ...metadata } = object.metadata
  return { ...object, metadata: kept.length > 0 ? { ...metadata, annotations: Object.fromEntries(kept) } : metadata }
}

/** The class named by a claim or volume; '' for none. */
export function classNameOf({ metadata, spec }: Volume | Claim): string {
  return metadata.annotations?.[annotations.betaClass] ?? spec.storageClassName ?? ''
}
