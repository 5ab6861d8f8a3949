import { controllerOf, controllerReference, type Lister } from '../../controller/index.ts'
import { deepEqual, type Frozen, type OwnerReference } from '../../object/index.ts'
import { claimName, isInRange, ordinalOf, type SomeClaim, type SomePod, type SomeSet } from './identity.ts'

/** A pod's existing claims. */
export function existingClaims(set: SomeSet, pod: SomePod, claims: Lister<SomeClaim>): SomeClaim[] {
  const ordinal = ordinalOf(pod)
  const namespace = set.metadata.namespace ?? ''
  return (set.spec.volumeClaimTemplates ?? []).flatMap((template) => {
    const found = claims.get(`${namespace}/${claimName(set, template, ordinal)}`) as SomeClaim | undefined
    return found ? [found] : []
  })
}

export function hasRetention({ spec }: SomeSet): boolean {
  return spec.persistentVolumeClaimRetentionPolicy !== undefined
}

/**
 * The claim with the owners by the retention policy: the garbage collector deletes it with them. Undefined: it has
 * them. 'foreign': another object controls it, and the policy does not apply.
 */
export function retained(set: SomeSet, pod: SomePod, claim: SomeClaim): SomeClaim | 'foreign' | undefined {
  const controller = controllerOf(claim)
  const ours = [set.metadata.uid, pod.metadata.uid]
  if (controller && !ours.includes(controller.uid) && !isStaleReference(set, pod, controller)) return 'foreign'
  const { whenDeleted = 'Retain', whenScaled = 'Retain' } = set.spec.persistentVolumeClaimRetentionPolicy ?? {}
  const isOut = !isInRange(set, ordinalOf(pod))
  const bySet = whenDeleted === 'Delete' && !(whenScaled === 'Delete' && isOut)
  const byPod = whenScaled === 'Delete' && isOut
  const before: readonly Frozen<OwnerReference>[] = claim.metadata.ownerReferences ?? []
  const others = before.filter(({ uid }) => !ours.includes(uid))
  const after = [
    ...others,
    ...(bySet ? [controllerReference(set)] : []),
    ...(byPod ? [controllerReference({ ...pod, apiVersion: 'v1', kind: 'Pod' })] : []),
  ]
  const same =
    after.length === before.length && after.every((reference) => before.some((each) => deepEqual(each, reference)))
  return same ? undefined : { ...claim, metadata: { ...claim.metadata, ownerReferences: after } }
}

/** The claim belongs to an earlier pod of the same name, and will be deleted with it. */
export function isStale(pod: SomePod, claim: SomeClaim): boolean {
  return (claim.metadata.ownerReferences ?? []).some(
    ({ kind, name, uid }) => kind === 'Pod' && name === pod.metadata.name && uid !== pod.metadata.uid,
  )
}

function isStaleReference(set: SomeSet, pod: SomePod, { kind, name }: Frozen<OwnerReference>): boolean {
  return (kind === 'Pod' && name === pod.metadata.name) || (kind === 'StatefulSet' && name === set.metadata.name)
}
