import { volumePhase } from './bind.ts'
import { folderToDelete, refusalOf } from './hostpath.ts'
import { modeOf } from './match.ts'
import { migratedVolume } from './migration.ts'
import { isRecyclable } from './recyclerpod.ts'
import { annotated, annotations, type Claim, has, nothing, type Plan, type PlannedEvent, type Volume } from './types.ts'

export interface VolumePlan extends Plan {
  /** The claim needs a turn: the volume names it, but it is not bound yet. */
  readonly claimNext?: boolean
  /** The volume waits to be emptied. */
  readonly recycleNext?: boolean
}

/** `claim`: the existing claim with the name in the volume, whatever its uid. */
export function planVolume(volume: Volume, claim: Claim | undefined): VolumePlan {
  const migrated = migratedVolume(volume)
  // This write causes the next turn of the volume.
  if (migrated) return { steps: [{ write: 'volume', object: migrated }], events: [] }
  const { claimRef } = volume.spec
  // A volume that names a claim without a uid was reserved by a user; the claim's turn binds it.
  if (!claimRef || (claimRef.uid ?? '') === '')
    return { steps: volumePhase(volume, 'Available'), events: [], claimNext: claim ? true : undefined }
  if (!claim || claim.metadata.uid !== claimRef.uid) return release(volume)
  const { volumeName = '' } = claim.spec
  if (volumeName === '')
    return modeOf(volume) === modeOf(claim) ? { ...nothing, claimNext: true } : clash(volume, claim)
  if (volumeName === volume.metadata.name) return { steps: volumePhase(volume, 'Bound'), events: [] }
  // The claim is bound to another volume. A volume that was provisioned for it is deleted; others become available.
  const isDisposable = has(volume, annotations.provisionedBy) && reclaimPolicyOf(volume) === 'Delete'
  return isDisposable ? release(volume) : { steps: unbind(volume), events: [] }
}

function clash(volume: Volume, claim: Claim): Plan {
  const names = `"${claim.metadata.name}" due to incompatible volumeMode.`
  const said = { type: 'Warning', reason: 'VolumeMismatch' } as const
  return {
    steps: [],
    events: [
      { ...said, about: volume, message: `Cannot bind PersistentVolume to requested PersistentVolumeClaim ${names}` },
      {
        ...said,
        about: claim,
        message: `Cannot bind PersistentVolume "${volume.metadata.name}" to requested PersistentVolumeClaim ${names}`,
      },
    ],
  }
}

/** The writes that make the volume available; one that a user reserved stays reserved. */
export function unbind(volume: Volume): Plan['steps'] {
  const { claimRef, ...spec } = volume.spec
  const free = has(volume, annotations.boundByController)
    ? annotated({ ...volume, spec }, { [annotations.boundByController]: undefined })
    : { ...volume, spec: { ...spec, claimRef: withoutUid(claimRef) } }
  return [{ write: 'volume', object: free }, ...volumePhase(free, 'Available')]
}

function withoutUid(claimRef: Volume['spec']['claimRef']): NonNullable<Volume['spec']['claimRef']> {
  const { uid: _, ...rest } = claimRef ?? {}
  return rest
}

function reclaimPolicyOf({ spec }: Volume): string {
  return spec.persistentVolumeReclaimPolicy ?? 'Retain'
}

/** The claim was deleted: the volume is Released, and then treated by its reclaim policy. */
function release(volume: Volume): VolumePlan {
  const { phase } = volume.status
  if (isRecyclable(volume)) {
    if (phase === 'Released' || phase === 'Failed') return { ...nothing, recycleNext: true }
    return { steps: volumePhase(volume, 'Released'), events: [] }
  }
  const folder = folderToDelete(volume)
  const isRefused = folder !== undefined && refusalOf(folder) !== undefined
  if (folder !== undefined && !isRefused) {
    // The write causes the next turn of the volume. A failure is retried at each turn.
    if (phase !== 'Released' && phase !== 'Failed') return { steps: volumePhase(volume, 'Released'), events: [] }
    return { steps: [{ write: 'noVolume', object: volume, folder }], events: [] }
  }
  if (phase === 'Failed') return nothing
  const steps = phase === 'Released' ? [] : volumePhase(volume, 'Released')
  const failure = cannotReclaim(volume)
  if (!failure) return { steps, events: [] }
  return { steps: [...steps, ...volumePhase(volume, 'Failed', failure.message)], events: [failure] }
}

/** Undefined: nothing to report. Drivers delete their volumes themselves. */
function cannotReclaim(volume: Volume): PlannedEvent | undefined {
  const failed = (reason: string, message: string): PlannedEvent => ({
    about: volume,
    type: 'Warning',
    reason,
    message,
  })
  if (has(volume, annotations.migratedTo)) return undefined
  switch (reclaimPolicyOf(volume)) {
    case 'Retain':
      return undefined
    case 'Recycle':
      return failed('VolumeFailedRecycle', 'No recycler plugin found for the volume!')
    case 'Delete': {
      const by = volume.metadata.annotations?.[annotations.provisionedBy]
      if (volume.spec.csi || (by !== undefined && !by.startsWith('kubernetes.io/'))) return undefined
      const { name } = volume.metadata
      const folder = folderToDelete(volume)
      if (folder !== undefined) return failed('VolumeFailedDelete', refusalOf(folder) ?? '')
      const message = `error getting deleter volume plugin for volume "${name}": no deletable volume plugin matched`
      return failed('VolumeFailedDelete', message)
    }
    default:
      return failed('VolumeUnknownReclaimPolicy', 'Volume has unrecognized reclaim policy')
  }
}
