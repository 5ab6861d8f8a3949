import type { ManagedFieldsEntry } from '../../object/index.ts'
import { difference } from '../fieldset/algebra.ts'
import { type FieldSet, hasPath, noFields, setOfPaths } from '../fieldset/fieldset.ts'
import { type FieldOwner, type Owners, readOwners, withSet, writeOwners } from './owner.ts'

/** The default path of a kind's replicas, as elements of field sets. */
const replicasPath: readonly string[] = ['f:spec', 'f:replicas']
const scaleVersion = 'autoscaling/v1'
const replicasOfScale = setOfPaths([replicasPath])

/** The owners of an object's replicas, as owners of its scale. */
export function ownersOfScale(
  entries: readonly ManagedFieldsEntry[],
  path: readonly string[] = replicasPath,
): ManagedFieldsEntry[] {
  return entries
    .filter(({ fieldsV1 }) => hasPath((fieldsV1 ?? noFields) as FieldSet, path))
    .map((entry) => ({ ...entry, apiVersion: scaleVersion, fieldsV1: replicasOfScale }))
}

/**
 * An object's owners after its scale was written: a manager that no longer owns the scale's replicas loses the
 * object's, and a manager that owns them now gets an entry in the object's version `apiVersion`.
 */
export function withOwnersOfScale(
  entries: readonly ManagedFieldsEntry[],
  scale: readonly ManagedFieldsEntry[],
  apiVersion: string,
  path: readonly string[] = replicasPath,
): ManagedFieldsEntry[] | undefined {
  const replicas = setOfPaths([path])
  const claims = new Map<string, FieldOwner>()
  for (const owner of readOwners(scale).values()) if (hasPath(owner.set, replicasPath)) claims.set(nameOf(owner), owner)
  const owners = new Map<string, FieldOwner>()
  for (const [id, owner] of readOwners(entries)) {
    const claim = hasPath(owner.set, path) ? claims.get(nameOf(owner)) : undefined
    if (claim) {
      claims.delete(nameOf(owner))
      owners.set(id, claim.time === owner.time ? owner : { ...owner, time: claim.time, stored: undefined })
    } else owners.set(id, withSet(owner, difference(owner.set, replicas)))
  }
  for (const [id, claim] of claims) owners.set(id, { ...claim, apiVersion, set: replicas, stored: undefined })
  return writeOwners(owners satisfies Owners)
}

/** The owners of a scale and of its object differ in their version. */
function nameOf({ manager, operation, subresource }: FieldOwner): string {
  return `${operation} ${subresource} ${manager}`
}
