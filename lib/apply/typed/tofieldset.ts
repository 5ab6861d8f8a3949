import { isRecord } from '../../base/index.ts'
import { fieldElement } from '../fieldset/element.ts'
import { type FieldSet, type FieldSetBuilder, noFields, self } from '../fieldset/fieldset.ts'
import { itemElement } from './listitem.ts'
import type { AnyShape, FieldShape, ListShape, MapShape, Shape, StructShape } from './shape.ts'
import { isEmptyRecord } from './value.ts'

/**
 * The fields of an apply configuration: leaves, keys of maps, items of lists, and structs only when they are empty or
 * null. Throws TypedError for items without a unique identity.
 */
export function toFieldSet(shape: Shape, value: unknown): FieldSet {
  return childrenOf(shape, value, false) ?? noFields
}

/**
 * The paths below a value, `noFields` when there are none; including the value's own path if it is a `member`.
 * Undefined: the value itself is a leaf.
 */
function childrenOf(shape: Shape, value: unknown, member: boolean): FieldSet | undefined {
  switch (shape.is) {
    case 'scalar':
      return undefined
    case 'any':
      return isRecord(value) ? childrenOfMap(shape, value, member) : undefined
    case 'list':
      return shape.semantics !== 'atomic' && Array.isArray(value) ? childrenOfList(shape, value, member) : undefined
    case 'map':
      return !shape.atomic && isRecord(value) ? childrenOfMap(shape.element, value, member) : undefined
    case 'struct':
      return !shape.atomic && isRecord(value) ? childrenOfStruct(shape, value, member) : undefined
  }
}

function childrenOfList(list: ListShape, items: readonly unknown[], member: boolean): FieldSet {
  if (items.length === 0) return noFields
  const set = begun(member)
  for (const item of items) {
    const element = itemElement(list, item)
    // A repeated element is a leaf.
    set[element] = set[element] === undefined ? memberOf(list.element, item) : noFields
  }
  return set
}

function childrenOfMap(
  shape: MapShape['element'] | AnyShape,
  value: Readonly<Record<string, unknown>>,
  member: boolean,
): FieldSet {
  let set: FieldSetBuilder | undefined
  for (const key in value)
    if (value[key] !== undefined) (set ??= begun(member))[fieldElement(key)] = memberOf(shape, value[key])
  return set ?? noFields
}

function childrenOfStruct(shape: StructShape, value: Readonly<Record<string, unknown>>, member: boolean): FieldSet {
  let set: FieldSetBuilder | undefined
  for (const name in value) {
    const inner = value[name]
    if (inner === undefined) continue
    const field = shape.byName.get(name)
    const element = field?.element ?? fieldElement(name)
    const isMember = isMemberAnyway(field, inner)
    const children = childrenOf(field?.shape ?? anyOf(shape), inner, isMember)
    if (isMember || children !== noFields) (set ??= begun(member))[element] = children ?? noFields
  }
  return set ?? noFields
}

/** A field that only contains other fields has no owner, and neither has an empty list. */
function isMemberAnyway(field: FieldShape | undefined, value: unknown): boolean {
  return !field || (isRecord(value) && isEmptyRecord(value))
}

function anyOf(shape: StructShape): AnyShape {
  return shape.unknown ?? { is: 'any' }
}

/** The node of a value that is itself in the set. */
function memberOf(shape: Shape, value: unknown): FieldSet {
  return childrenOf(shape, value, true) ?? noFields
}

function begun(member: boolean): FieldSetBuilder {
  return member ? { [self]: noFields } : {}
}
