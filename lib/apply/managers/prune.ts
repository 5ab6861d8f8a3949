import type { ApiObject } from '../../object/index.ts'
import { difference, intersection, union, unionOf } from '../fieldset/algebra.ts'
import { fieldElement } from '../fieldset/element.ts'
import { equalSets, type FieldSet, hasNoFields, noFields } from '../fieldset/fieldset.ts'
import { removeFields, removeGivenUp, withNamedFields } from '../typed/remove.ts'
import type { Shape } from '../typed/shape.ts'
import { toFieldSet } from '../typed/tofieldset.ts'
import type { FieldOwner, Owners } from './owner.ts'
import type { VersionedShapes } from './versions.ts'

/**
 * Every configuration has these fields without being recorded as their owner: metadata stays even without any owned
 * label.
 */
const identity: FieldSet = { [fieldElement('metadata')]: { [fieldElement('name')]: noFields } }

/**
 * The merged object without the fields that an applier had and does not apply any more, unless another manager owns
 * them. `owners` has the applier's new set already; `last` is its previous one. Returns `merged` itself when nothing is
 * removed.
 */
export function prune(
  shapes: VersionedShapes,
  merged: ApiObject,
  owners: Owners,
  last: FieldOwner | undefined,
): ApiObject {
  if (!last || hasNoFields(last.set)) return merged
  const owned = ownedByVersion(owners)
  const atLast = owned.get(last.apiVersion) ?? noFields
  const isOneVersion = last.apiVersion === shapes.apiVersion && owned.size === 1
  if (!isOneVersion) {
    owned.set(shapes.apiVersion, union(owned.get(shapes.apiVersion) ?? noFields, identity))
    return pruneAcrossVersions(shapes, merged, owned, last)
  }
  if (isWithin(last.set, atLast)) return merged
  const kept = union(atLast, identity)
  const { shape } = shapes
  return removeGivenUp(shape, merged, last.set, kept) as ApiObject
}

/** Whether a set is a subset of another one. */
function isWithin(set: FieldSet, other: FieldSet): boolean {
  return equalSets(set, intersection(set, other))
}

function ownedByVersion(owners: Owners): Map<string, FieldSet> {
  const sets = new Map<string, FieldSet[]>()
  for (const { apiVersion, set } of owners.values()) {
    const known = sets.get(apiVersion)
    if (known) known.push(set)
    else sets.set(apiVersion, [set])
  }
  const owned = new Map<string, FieldSet>()
  for (const [apiVersion, each] of sets) owned.set(apiVersion, unionOf(each))
  return owned
}

/**
 * Sets of different versions can't be compared, so the object is converted to each version in turn: first without all
 * fields of the last apply, then with the fields of each version's owners put back.
 */
function pruneAcrossVersions(
  shapes: VersionedShapes,
  merged: ApiObject,
  owned: Map<string, FieldSet>,
  last: FieldOwner,
): ApiObject {
  const shape = shapes.shapeAt(last.apiVersion)
  const base = shape && shapes.convert(merged, last.apiVersion)
  if (!shape || !base) return merged
  const named = withNamedFields(shape, last.set)
  let state: { merged: ApiObject; pruned: ApiObject } = {
    merged: base,
    pruned: removeFields(shape, base, named) as ApiObject,
  }
  const versions = [last.apiVersion, ...[...owned.keys()].filter((version) => version !== last.apiVersion)]
  for (const version of versions) {
    const set = owned.get(version)
    if (set) state = putBackOwned(shapes, state, version, set)
  }
  const pruned = shapes.convert(state.pruned, last.apiVersion)
  if (!pruned) return merged
  // A field without an owner that the applier did not own either stays.
  const before = fieldsOf(shape, base)
  const after = fieldsOf(shape, pruned)
  const gone = difference(before, after)
  const left = removeFields(shape, base, intersection(gone, named)) as ApiObject
  if (left === base) return merged
  return shapes.convert(left, shapes.apiVersion) ?? merged
}

function putBackOwned(
  shapes: VersionedShapes,
  state: { merged: ApiObject; pruned: ApiObject },
  version: string,
  owned: FieldSet,
): { merged: ApiObject; pruned: ApiObject } {
  const shape = shapes.shapeAt(version)
  const merged = shape && shapes.convert(state.merged, version)
  const pruned = shape && shapes.convert(state.pruned, version)
  if (!shape || !merged || !pruned) return state
  const left = fieldsOf(shape, pruned)
  const keep = union(left, withNamedFields(shape, owned))
  const all = fieldsOf(shape, merged)
  const gone = difference(all, keep)
  return { merged, pruned: removeFields(shape, merged, gone) as ApiObject }
}

function fieldsOf(shape: Shape, object: ApiObject): FieldSet {
  return withNamedFields(shape, toFieldSet(shape, object))
}
