import { isRecord, Pace, type Slices } from '../../base/index.ts'
import { fieldElement } from '../fieldset/element.ts'
import { type FieldSet, type FieldSetBuilder, noFields } from '../fieldset/fieldset.ts'
import { itemElement } from '../typed/listitem.ts'
import { anyShape, type ListShape, type Shape } from '../typed/shape.ts'
import { begun, childrenOf, isMemberAnyway } from '../typed/tofieldset.ts'
import type { Fields } from '../typed/value.ts'

/** As toFieldSet, with pauses, for objects of many fields. */
export function* toFieldSetInSlices(shape: Shape, value: unknown): Slices<FieldSet> {
  return (yield* childrenInSlices(shape, value, false, new Pace())) ?? noFields
}

function* childrenInSlices(shape: Shape, value: unknown, member: boolean, pace: Pace): Slices<FieldSet | undefined> {
  if (pace.isDue()) yield
  switch (shape.is) {
    case 'list':
      if (shape.semantics === 'atomic' || !Array.isArray(value)) break
      return yield* childrenOfList(shape, value, member, pace)
    case 'map':
    case 'struct':
      if (shape.atomic || !isRecord(value)) break
      return yield* childrenOfRecord(shape, value, member, pace)
    case 'any':
      if (!isRecord(value)) break
      return yield* childrenOfRecord(shape, value, member, pace)
    case 'scalar':
  }
  return childrenOf(shape, value, member)
}

function* childrenOfList(list: ListShape, items: readonly unknown[], member: boolean, pace: Pace): Slices<FieldSet> {
  if (items.length === 0) return noFields
  const set = begun(member)
  for (const item of items) {
    const element = itemElement(list, item)
    const node = (yield* childrenInSlices(list.element, item, true, pace)) ?? noFields
    // One that stands several times is a leaf.
    set[element] = set[element] === undefined ? node : noFields
  }
  return set
}

function* childrenOfRecord(shape: Shape, value: Fields, member: boolean, pace: Pace): Slices<FieldSet> {
  let set: FieldSetBuilder | undefined
  for (const name of Object.keys(value)) {
    const inner = value[name]
    if (inner === undefined) continue
    const field = shape.is === 'struct' ? shape.byName.get(name) : undefined
    const isMember = shape.is !== 'struct' || isMemberAnyway(field, inner)
    const innerShape = field?.shape ?? (shape.is === 'map' ? shape.element : anyShape)
    const children = yield* childrenInSlices(innerShape, inner, isMember, pace)
    if (isMember || children !== noFields)
      (set ??= begun(member))[field?.element ?? fieldElement(name)] = children ?? noFields
  }
  return set ?? noFields
}
