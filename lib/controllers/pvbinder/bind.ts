import { deepEqual } from '../../object/index.ts'
import { names } from './match.ts'
import { annotated, annotations, type Claim, has, type Plan, type Seen, type Step, type Volume } from './types.ts'

/**
 * Binds in four writes: the volume names the claim, the volume is Bound, the claim names the volume, the claim is
 * Bound. Writes that have been made are left out, so that a later turn continues an interrupted one.
 */
export function bind(volume: Volume, claim: Claim, { attributesClasses }: Pick<Seen, 'attributesClasses'>): Plan {
  const steps: Step[] = []
  const boundVolume = naming(volume, claim)
  if (boundVolume !== volume) steps.push({ write: 'volume', object: boundVolume })
  steps.push(...volumePhase(boundVolume, 'Bound'))
  const boundClaim = namingVolume(claim, volume)
  if (boundClaim !== claim) steps.push({ write: 'claim', object: boundClaim })
  const status = boundStatus(claim, volume, attributesClasses)
  if (!deepEqual(status, claim.status)) steps.push({ write: 'claimStatus', object: { ...boundClaim, status } })
  return { steps, events: [] }
}

/** The write that gives the volume this phase, if it has another. */
export function volumePhase(volume: Volume, phase: string, message = ''): Step[] {
  if (volume.status.phase === phase) return []
  const { message: _, ...status } = volume.status
  return [
    { write: 'volumeStatus', object: { ...volume, status: { ...status, phase, ...(message ? { message } : {}) } } },
  ]
}

function naming(volume: Volume, claim: Claim): Volume {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = claim.metadata
  const { claimRef } = volume.spec
  if (claimRef?.namespace === namespace && claimRef.name === name && claimRef.uid === uid) return volume
  const reference = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid, resourceVersion }
  const bound = { ...volume, spec: { ...volume.spec, claimRef: reference } }
  return names(volume, claim) ? bound : annotated(bound, { [annotations.boundByController]: 'yes' })
}

function namingVolume(claim: Claim, { metadata: { name = '' } }: Volume): Claim {
  const isOwn = claim.spec.volumeName === name
  if (isOwn && has(claim, annotations.bindCompleted)) return claim
  const bound = isOwn ? claim : { ...claim, spec: { ...claim.spec, volumeName: name } }
  return annotated(bound, {
    [annotations.bindCompleted]: 'yes',
    ...(isOwn ? {} : { [annotations.boundByController]: 'yes' }),
  })
}

/** The capacity is that of the volume when it is bound; another controller expands it later. */
function boundStatus(claim: Claim, { spec }: Volume, attributesClasses: boolean): Claim['status'] {
  const status = { ...claim.status, phase: 'Bound', accessModes: spec.accessModes ?? [] }
  if (claim.status.phase === 'Bound') return status
  const { volumeAttributesClassName: className } = spec
  return {
    ...status,
    ...(spec.capacity?.['storage'] === undefined ? {} : { capacity: { storage: spec.capacity['storage'] } }),
    ...(attributesClasses && className !== undefined ? { currentVolumeAttributesClassName: className } : {}),
  }
}
