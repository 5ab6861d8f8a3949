import type { PersistentVolume } from '../../../api/gen/core/v1.ts'
import { type Index, joinKey, keyOf, type Lister } from '../../controller/index.ts'
import { compareQuantities, type Frozen, labelSelectorFromObject } from '../../object/index.ts'
import { type Claim, classNameOf, type Volume } from './types.ts'

/** Volumes that name a claim, by its key; other available volumes, by access modes and class. */
const candidates: Index<PersistentVolume> = {
  values(volume) {
    const { claimRef } = volume.spec
    if (claimRef) return [`claim ${joinKey(claimRef.namespace ?? '', claimRef.name ?? '')}`]
    return volume.status.phase === 'Available' ? [freeKey(modesOf(volume), classNameOf(volume))] : []
  },
}

export function volumesNaming(claimKey: string, volumes: Lister<PersistentVolume>): readonly Volume[] {
  return volumes.by(candidates, `claim ${claimKey}`)
}

const allModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']

function modesOf({ spec }: Volume | Claim): string {
  return allModes.filter((mode) => spec.accessModes?.includes(mode)).join()
}

function freeKey(modes: string, className: string): string {
  return `free ${modes} ${className}`
}

/**
 * The best volume for the claim: among those with the fewest access modes one that names the claim, else the smallest
 * that is large enough. `namedOnly`: others are not bound until a pod has a node.
 */
export function findVolume(claim: Claim, volumes: Lister<PersistentVolume>, namedOnly: boolean): Volume | undefined {
  const named = volumesNaming(keyOf(claim), volumes).filter((volume) => names(volume, claim) && fits(volume, claim))
  const selector = claim.spec.selector ? labelSelectorFromObject(claim.spec.selector) : undefined
  for (const modes of supersetsOf(modesOf(claim))) {
    const chosen = named.find((volume) => modesOf(volume) === modes)
    if (chosen) return chosen
    if (namedOnly) continue
    const free = volumes
      .by(candidates, freeKey(modes, classNameOf(claim)))
      .filter((volume) => fits(volume, claim) && (selector?.matches(volume.metadata.labels ?? {}) ?? true))
    const found = smallest(free)
    if (found) return found
  }
  return undefined
}

/** The sets of access modes that contain the wanted modes, smallest first. */
function supersetsOf(wanted: string): string[] {
  const needed = wanted === '' ? [] : wanted.split(',')
  const found: string[][] = []
  for (let bits = 0; bits < 2 ** allModes.length; bits++) {
    const modes = allModes.filter((_, at) => (bits >> at) & 1)
    if (needed.every((mode) => modes.includes(mode))) found.push(modes)
  }
  return found.toSorted((one, other) => one.length - other.length).map((modes) => modes.join())
}

function smallest(volumes: readonly Volume[]): Volume | undefined {
  let best: Volume | undefined
  for (const volume of volumes) if (!best || compareQuantities(sizeOf(volume), sizeOf(best)) < 0) best = volume
  return best
}

/** The volume names the claim, with its uid or without any. */
export function names({ spec: { claimRef } }: Volume, { metadata }: Claim): boolean {
  if (claimRef?.name !== metadata.name || claimRef?.namespace !== metadata.namespace) return false
  return (claimRef?.uid ?? '') === '' || claimRef?.uid === metadata.uid
}

function fits(volume: Volume, claim: Claim): boolean {
  return (
    volume.metadata.deletionTimestamp === undefined &&
    isLargeEnough(volume, claim) &&
    modeOf(volume) === modeOf(claim) &&
    attributesOf(volume) === attributesOf(claim)
  )
}

/** Why a claim can't have the volume that it names; undefined: it can. */
export function mismatch(volume: Volume, claim: Claim): string | undefined {
  if (!isLargeEnough(volume, claim)) return 'requested PV is too small'
  if (classNameOf(volume) !== classNameOf(claim)) return 'storageClassName does not match'
  if (attributesOf(volume) !== attributesOf(claim)) return 'volumeAttributesClassName does not match'
  if (modeOf(volume) !== modeOf(claim)) return 'incompatible volumeMode'
  const offered = volume.spec.accessModes ?? []
  if (!claim.spec.accessModes?.every((mode) => offered.includes(mode))) return 'incompatible accessMode'
  return volume.metadata.deletionTimestamp === undefined ? undefined : 'the volume is marked for deletion'
}

export function modeOf({ spec }: Frozen<{ spec: { volumeMode?: string } }>): string {
  return spec.volumeMode ?? 'Filesystem'
}

function attributesOf({ spec }: Volume | Claim): string {
  return spec.volumeAttributesClassName ?? ''
}

function isLargeEnough(volume: Volume, claim: Claim): boolean {
  return compareQuantities(sizeOf(volume), claim.spec.resources.requests?.['storage'] ?? '0') >= 0
}

function sizeOf({ spec }: Volume): string {
  return spec.capacity?.['storage'] ?? '0'
}
