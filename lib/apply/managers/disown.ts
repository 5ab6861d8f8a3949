import { difference, isNoFields } from '../fieldset/algebra.ts'
import { type FieldSet, hasNoFields } from '../fieldset/fieldset.ts'
import type { Comparison } from '../typed/compare.ts'
import { reconcile } from '../typed/reconcile.ts'
import { type FieldOwner, withSet } from './owner.ts'
import type { Comparisons, VersionedShapes } from './versions.ts'

/** Adapts every set to today's types. Changes `owners`. */
export function reconcileOwners(owners: Map<string, FieldOwner>, shapes: VersionedShapes): void {
  for (const [id, owner] of owners) {
    const shape = shapes.shapeAt(owner.apiVersion)
    const matching = shape?.is === 'struct' ? shape.matching : undefined
    if (!shape || matching?.has(owner.set)) continue
    const set = reconcile(shape, owner.set)
    matching?.add(set)
    if (set !== owner.set) owners.set(id, withSet(owner, set))
  }
}

/**
 * Takes from these owners the fields that another manager changes or removes. Drops an owner in a version that the kind
 * no longer has.
 */
export function disown(ids: Iterable<string>, owners: Map<string, FieldOwner>, comparisons: Comparisons): void {
  for (const id of ids) {
    const owner = owners.get(id)
    if (!owner) continue
    const comparison = comparisons.at(owner.apiVersion)
    const set = comparison && without(owner.set, comparison)
    if (set === undefined || hasNoFields(set)) owners.delete(id)
    else if (set !== owner.set) owners.set(id, withSet(owner, set))
  }
}

function without(set: FieldSet, { changed, removed }: Comparison): FieldSet {
  return difference(difference(set, changed, isNoFields), removed, isNoFields)
}
