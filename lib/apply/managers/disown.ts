import type { Slices } from '../../base/index.ts'
import { difference, isNoFields } from '../fieldset/algebra.ts'
import { type FieldSet, hasNoFields } from '../fieldset/fieldset.ts'
import { differenceInSlices } from '../inslices/sets.ts'
import type { Comparison } from '../typed/compare.ts'
import { reconcile } from '../typed/reconcile.ts'
import { type Owner, withSet } from './owner.ts'
import type { Comparisons, VersionedShapes } from './versions.ts'

/** Brings every set to what today's types say of it. Changes `owners`. */
export function* reconcileOwners(owners: Map<string, Owner>, shapes: VersionedShapes): Slices<void> {
  for (const [id, owner] of owners) {
    const shape = shapes.shapeAt(owner.apiVersion)
    const settled = shape?.is === 'struct' ? shape.settled : undefined
    if (!shape || settled?.has(owner.set)) continue
    const set = reconcile(shape, owner.set)
    settled?.add(set)
    if (set !== owner.set) owners.set(id, withSet(owner, set))
    yield
  }
}

/**
 * Takes from these owners the fields that another manager changes or removes. An owner in a version that the kind no
 * longer has is dropped.
 */
export function* disown(
  ids: Iterable<string>,
  owners: Map<string, Owner>,
  comparisons: Comparisons,
  isLarge: boolean | undefined,
): Slices<void> {
  for (const id of ids) {
    const owner = owners.get(id)
    if (!owner) continue
    const comparison = yield* comparisons.at(owner.apiVersion)
    const set = comparison && (isLarge ? yield* withoutInSlices(owner.set, comparison) : without(owner.set, comparison))
    if (set === undefined || hasNoFields(set)) owners.delete(id)
    else if (set !== owner.set) owners.set(id, withSet(owner, set))
    yield
  }
}

function* withoutInSlices(set: FieldSet, { changed, removed }: Comparison): Slices<FieldSet> {
  const left = yield* differenceInSlices(set, changed, isNoFields)
  return yield* differenceInSlices(left, removed, isNoFields)
}

function without(set: FieldSet, { changed, removed }: Comparison): FieldSet {
  return difference(difference(set, changed, isNoFields), removed, isNoFields)
}
