import { isRecord } from '../../base/index.ts'
import { fieldElement } from '../fieldset/element.ts'
import { type FieldSet, type FieldSetBuilder, noFields, self } from '../fieldset/fieldset.ts'
import { itemElement } from './listitem.ts'
import type { AnyShape, ListShape, MapShape, Shape, StructShape } from './shape.ts'
import { isEmptyRecord } from './value.ts'

/**
 * The fields that an apply configuration states: leaves, keys of maps, items of lists, and structs only when they are
 * empty or null. Throws TypedError for items that can't be told apart.
 */
export function toFieldSet(shape: Shape, value: unknown): FieldSet {
  return childrenOf(shape, value) ?? noFields
}

/** The paths below a value; undefined: the value itself is a leaf. */
function childrenOf(shape: Shape, value: unknown): FieldSetBuilder | undefined {
  switch (shape.is) {
    case 'scalar':
      return undefined
    case 'any':
      return isRecord(value) ? childrenOfMap(shape, value) : undefined
    case 'list':
      return shape.semantics !== 'atomic' && Array.isArray(value) ? childrenOfList(shape, value) : undefined
    case 'map':
      return !shape.atomic && isRecord(value) ? childrenOfMap(shape.element, value) : undefined
    case 'struct':
      return !shape.atomic && isRecord(value) ? childrenOfStruct(shape, value) : undefined
  }
}

function childrenOfList(list: ListShape, items: readonly unknown[]): FieldSetBuilder {
  const set: FieldSetBuilder = {}
  for (const item of items) {
    const element = itemElement(list, item)
    // One that stands several times is a leaf.
    set[element] = set[element] === undefined ? member(childrenOf(list.element, item)) : noFields
  }
  return set
}

function childrenOfMap(
  shape: MapShape['element'] | AnyShape,
  value: Readonly<Record<string, unknown>>,
): FieldSetBuilder {
  const set: FieldSetBuilder = {}
  for (const key in value) if (value[key] !== undefined) set[fieldElement(key)] = member(childrenOf(shape, value[key]))
  return set
}

function childrenOfStruct(shape: StructShape, value: Readonly<Record<string, unknown>>): FieldSetBuilder {
  const set: FieldSetBuilder = {}
  for (const name in value) {
    const inner = value[name]
    if (inner === undefined) continue
    const field = shape.byName.get(name)
    const children = childrenOf(field?.shape ?? anyOf(shape), inner)
    const element = field?.element ?? fieldElement(name)
    // A field that is just there for what is below it has no owner; neither has an empty list.
    if (children === undefined || !field || (isRecord(inner) && isEmptyRecord(inner))) set[element] = member(children)
    else if (hasChildren(children)) set[element] = children
  }
  return set
}

function anyOf(shape: StructShape): AnyShape {
  return shape.unknown ?? { is: 'any' }
}

function member(children: FieldSetBuilder | undefined): FieldSet {
  return children && hasChildren(children) ? { [self]: noFields, ...children } : noFields
}

function hasChildren(set: FieldSetBuilder): boolean {
  for (const _ in set) return true
  return false
}
