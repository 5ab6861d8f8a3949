import { isRecord } from '../../base/index.ts'
import { deepEqual } from '../../object/index.ts'
import { union } from '../fieldset/algebra.ts'
import { fieldElement } from '../fieldset/element.ts'
import { type FieldSet, type FieldSetBuilder, noFields, self } from '../fieldset/fieldset.ts'
import { itemElement, itemsByElement, sharedElements } from './listitem.ts'
import { anyShape, type ListShape, type Shape, type StructShape } from './shape.ts'
import { isEmptyRecord, type JsonFields, own } from './value.ts'

/** The difference between two states of an object. Leaves of both sets are `noFields` itself (see LeafTest). */
export interface Comparison {
  /** Added, or with another value. */
  readonly changed: FieldSet
  readonly removed: FieldSet
}

/**
 * Compares two values of a shape. An absent field counts as its implied value. Structs, maps and lists that were added
 * whole are in `changed` with everything below. Throws TypedError for items without a unique identity.
 */
export function compareTyped(shape: Shape, before: unknown, after: unknown): Comparison {
  const comparer = new Comparer()
  comparer.compare(shape, before, after)
  return { changed: comparer.changed ?? noFields, removed: comparer.removed ?? noFields }
}

/** The differing paths at and below a value; undefined when none differs. */
export interface Difference {
  readonly changed: FieldSet | undefined
  readonly removed: FieldSet | undefined
}

/** Its two members hold the result of the last call: sets are only created where something differs. */
class Comparer implements Difference {
  changed: FieldSet | undefined
  removed: FieldSet | undefined

  compare(shape: Shape, before: unknown, after: unknown): void {
    if (before === after) return this.#answer(undefined, undefined)
    if (before === undefined) return this.#answer(everything(shape, after), undefined)
    if (after === undefined) return this.#answer(undefined, everything(shape, before))
    switch (shape.is) {
      case 'scalar':
        return this.#compareLeaf(before, after)
      case 'list':
        return this.#compareLists(shape, before, after)
      case 'map':
        return shape.atomic ? this.#compareLeaf(before, after) : this.#compareMaps(shape.element, before, after)
      case 'struct':
        return shape.atomic ? this.#compareLeaf(before, after) : this.#compareStructs(shape, before, after)
      case 'any':
        return this.#compareAny(before, after)
    }
  }

  #answer(changed: FieldSet | undefined, removed: FieldSet | undefined): void {
    this.changed = changed
    this.removed = removed
  }

  #differs(): boolean {
    return this.changed !== undefined || this.removed !== undefined
  }

  #compareLeaf(before: unknown, after: unknown): void {
    this.#answer(deepEqual(before, after) ? undefined : noFields, undefined)
  }

  #compareLists(list: ListShape, before: unknown, after: unknown): void {
    const old = Array.isArray(before) ? before : []
    const now = Array.isArray(after) ? after : []
    if (list.semantics === 'atomic' || (old.length === 0 && now.length === 0)) return this.#compareLeaf(before, after)
    const found = new Differences()
    const shared = sharedElements(list, old, now)
    if (shared) {
      for (const [index, element] of shared.entries()) {
        this.compare(list.element, old[index], now[index])
        found.add(element, this)
      }
      return this.#answer(found.changed, found.removed)
    }
    const oldItems = itemsByElement(list, old)
    const nowItems = itemsByElement(list, now)
    for (const [element, twins] of nowItems) {
      this.compareItems(list, oldItems.get(element) ?? [], twins)
      found.add(element, this)
    }
    for (const [element, twins] of oldItems) {
      if (nowItems.has(element)) continue
      this.compareItems(list, twins, [])
      found.add(element, this)
    }
    this.#answer(found.changed, found.removed)
  }

  /** Compares items with the same element. All occurrences of an element that is repeated are one leaf. */
  compareItems(list: ListShape, old: readonly unknown[], now: readonly unknown[]): void {
    if (old.length < 2 && now.length < 2) return this.compare(list.element, old[0], now[0])
    if (old.length > 1 && now.length > 1) return this.#compareLeaf(old, now)
    const whole = (items: readonly unknown[]): FieldSet | undefined =>
      items.length > 1 ? noFields : items.length === 1 ? everything(list.element, items[0]) : undefined
    this.#answer(whole(now), whole(old))
  }

  #compareMaps(shape: Shape, before: unknown, after: unknown): void {
    const old = isRecord(before) ? before : {}
    const now = isRecord(after) ? after : {}
    // Listing the keys of a wide map takes as long as comparing its values: it is done once.
    let isEmpty = true
    const found = new Differences()
    for (const key in now) {
      if (now[key] === undefined) continue
      isEmpty = false
      this.compare(shape, own(old, key), now[key])
      if (this.#differs()) found.add(fieldElement(key), this)
    }
    for (const key in old) {
      if (old[key] === undefined) continue
      isEmpty = false
      if (own(now, key) !== undefined) continue
      this.#answer(undefined, everything(shape, old[key]))
      found.add(fieldElement(key), this)
    }
    if (isEmpty) return this.#compareLeaf(before, after)
    this.#answer(found.changed, found.removed)
  }

  #compareStructs(shape: StructShape, before: unknown, after: unknown): void {
    const old = isRecord(before) ? before : {}
    const now = isRecord(after) ? after : {}
    if (isEmptyRecord(old) && isEmptyRecord(now)) return this.#compareLeaf(before, after)
    const found = new Differences()
    for (const name in now) {
      if (now[name] === undefined) continue
      const field = shape.byName.get(name)
      const was = own(old, name)
      this.compare(field?.shape ?? anyShape, was === undefined ? field?.implied : was, now[name])
      found.add(field?.element ?? fieldElement(name), this)
    }
    for (const name in old) {
      if (old[name] === undefined || own(now, name) !== undefined) continue
      const field = shape.byName.get(name)
      this.compare(field?.shape ?? anyShape, old[name], field?.implied)
      found.add(field?.element ?? fieldElement(name), this)
    }
    this.#answer(found.changed, found.removed)
  }

  /**
   * The type of a value may change: then all fields below the old value are removed, all below the new one are added.
   * Null equals an empty map.
   */
  #compareAny(before: unknown, after: unknown): void {
    if ((isRecord(before) && (isRecord(after) || after === null)) || (before === null && isRecord(after)))
      return this.#compareMaps(anyShape, before, after)
    if (!isRecord(before) && !isRecord(after)) return this.#compareLeaf(before, after)
    const old = isRecord(before) ? below(everything(anyShape, before)) : undefined
    const now = isRecord(after) ? below(everything(anyShape, after)) : undefined
    this.#answer(now ? { [self]: noFields, ...now } : noFields, old)
  }
}

function below(node: FieldSet): FieldSet | undefined {
  const { [self]: _, ...children } = node
  return isEmptyRecord(children) ? undefined : children
}

class Differences {
  changed: FieldSetBuilder | undefined
  removed: FieldSetBuilder | undefined

  add(element: string, { changed, removed }: Difference): void {
    if (changed !== undefined) (this.changed ??= {})[element] = changed
    if (removed !== undefined) (this.removed ??= {})[element] = removed
  }
}

/** The node of a value that was added or removed whole: itself and, as far as it is granular, everything below. */
function everything(shape: Shape, value: unknown): FieldSet {
  switch (shape.is) {
    case 'scalar':
      return noFields
    case 'list':
      return shape.semantics === 'atomic' || !Array.isArray(value) ? noFields : everyItem(shape, value)
    case 'map':
      return shape.atomic || !isRecord(value) ? noFields : everyKey(shape.element, value)
    case 'struct':
      return shape.atomic || !isRecord(value) ? noFields : everyField(shape, value)
    case 'any':
      return isRecord(value) ? everyKey(shape, value) : noFields
  }
}

function everyItem(list: ListShape, items: readonly unknown[]): FieldSet {
  if (items.length === 0) return noFields
  const node: FieldSetBuilder = { [self]: noFields }
  for (const item of items) {
    const element = itemElement(list, item)
    // A repeated element is a leaf.
    node[element] = node[element] === undefined ? everything(list.element, item) : noFields
  }
  return node
}

function everyKey(shape: Shape, value: JsonFields): FieldSet {
  let node: FieldSetBuilder | undefined
  const keys = Object.keys(value)
  // Sorting a wide node later would mean creating it again.
  if (keys.length > wideKeysMin) keys.sort()
  for (const key of keys) {
    if (value[key] === undefined) continue
    node ??= { [self]: noFields }
    node[fieldElement(key)] = everything(shape, value[key])
  }
  return node ?? noFields
}

const wideKeysMin = 1000

function everyField(shape: StructShape, value: JsonFields): FieldSet {
  let node: FieldSetBuilder | undefined
  for (const name in value) {
    if (value[name] === undefined) continue
    const field = shape.byName.get(name)
    node ??= { [self]: noFields }
    node[field?.element ?? fieldElement(name)] = everything(field?.shape ?? anyShape, value[name])
  }
  for (const { name, element, shape: inner, implied } of shape.implied) {
    if (own(value, name) !== undefined) continue
    node ??= { [self]: noFields }
    node[element] = everything(inner, implied)
  }
  return node ?? noFields
}

/** All fields of the comparison. */
export function allDifferences({ changed, removed }: Comparison): FieldSet {
  return union(changed, removed)
}
