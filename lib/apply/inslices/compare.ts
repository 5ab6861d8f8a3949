import { isRecord, Pace, type Slices } from '../../base/index.ts'
import { fieldElement } from '../fieldset/element.ts'
import { noFields, self } from '../fieldset/fieldset.ts'
import { below, Comparer, type Comparison, type Difference, Differences, everything } from '../typed/compare.ts'
import { addItem, type ItemsByElement } from '../typed/listitem.ts'
import { anyShape, type ListShape, type Shape } from '../typed/shape.ts'
import { type Fields, isEmptyRecord, own } from '../typed/value.ts'

/** As compareTyped, with pauses, for objects of many fields. */
export function* compareInSlices(shape: Shape, before: unknown, after: unknown): Slices<Comparison> {
  const { changed, removed } = yield* new SlicedComparer().compare(shape, before, after)
  return { changed: changed ?? noFields, removed: removed ?? noFields }
}

const noDifference: Difference = { changed: undefined, removed: undefined }
const noRecord: Fields = Object.freeze({})

class SlicedComparer {
  readonly #pace = new Pace()
  readonly #whole = new Comparer();

  *compare(shape: Shape, before: unknown, after: unknown): Slices<Difference> {
    if (before === after) return noDifference
    switch (shape.is) {
      case 'list':
        if (shape.semantics === 'atomic' || !isListOrAbsent(before) || !isListOrAbsent(after)) break
        return yield* this.#lists(shape, before, after)
      case 'map':
      case 'struct':
        if (shape.atomic || !isRecordOrAbsent(before) || !isRecordOrAbsent(after)) break
        return yield* this.#records(shape, before, after)
      case 'any':
        return yield* this.#any(before, after)
      case 'scalar':
    }
    return this.#atOnce(shape, before, after)
  }

  /** The answer is to be used before the next call. */
  #atOnce(shape: Shape, before: unknown, after: unknown): Difference {
    this.#whole.compare(shape, before, after)
    return this.#whole
  }

  /** A value that becomes one of another kind takes all fields below it along. Null is as good as an empty map. */
  *#any(before: unknown, after: unknown): Slices<Difference> {
    if (isRecordOrAbsent(before) && isRecordOrAbsent(after)) return yield* this.#records(anyShape, before, after)
    if (before === null && isFilled(after)) return yield* this.#records(anyShape, noRecord, after)
    if (after === null && isFilled(before)) return yield* this.#records(anyShape, before, noRecord)
    const isEmptied = (before === null || after === null) && !isFilled(before) && !isFilled(after)
    if (isEmptied || (!isRecord(before) && !isRecord(after))) return this.#atOnce(anyShape, before, after)
    const { removed } = yield* this.compare(anyShape, isRecord(before) ? before : undefined, undefined)
    const { changed } = yield* this.compare(anyShape, undefined, isRecord(after) ? after : undefined)
    return { changed: changed ?? noFields, removed: removed && below(removed) }
  }

  *#records(shape: Shape, before: Fields | undefined, after: Fields | undefined): Slices<Difference> {
    const isWhole = before === undefined || after === undefined
    const old = before ?? noRecord
    const now = after ?? noRecord
    const found = begun(before, after)
    let isEmpty = true
    // Ordering a wide node afterwards means to make it again.
    for (const key of Object.keys(now).sort()) {
      if (now[key] === undefined) continue
      isEmpty = false
      const { inner, element, implied } = fieldOf(shape, key)
      const was = own(old, key)
      found.add(element, yield* this.#field(inner, was === undefined && !isWhole ? implied : was, now[key]))
    }
    for (const key of Object.keys(old)) {
      if (old[key] === undefined) continue
      isEmpty = false
      if (own(now, key) !== undefined) continue
      const { inner, element, implied } = fieldOf(shape, key)
      found.add(element, yield* this.#field(inner, old[key], isWhole ? undefined : implied))
    }
    if (isWhole) return finished(shape, before ?? after, found, isEmpty)
    return isEmpty ? this.#atOnce(shape, before, after) : found
  }

  *#field(shape: Shape, before: unknown, after: unknown): Slices<Difference> {
    if (this.#pace.isDue()) yield
    return isNested(before) || isNested(after)
      ? yield* this.compare(shape, before, after)
      : this.#atOnce(shape, before, after)
  }

  *#lists(
    list: ListShape,
    before: readonly unknown[] | undefined,
    after: readonly unknown[] | undefined,
  ): Slices<Difference> {
    if (before?.length === 0 && after?.length === 0) return this.#atOnce(list, before, after)
    const old = yield* this.#itemsOf(list, before)
    const now = yield* this.#itemsOf(list, after)
    const found = begun(before, after)
    for (const [element, twins] of now) found.add(element, yield* this.#items(list, old.get(element) ?? [], twins))
    for (const [element, twins] of old) if (!now.has(element)) found.add(element, yield* this.#items(list, twins, []))
    return before && after ? found : finished(list, before ?? after, found, (before ?? after)?.length === 0)
  }

  *#items(list: ListShape, old: readonly unknown[], now: readonly unknown[]): Slices<Difference> {
    if (old.length < 2 && now.length < 2) return yield* this.#field(list.element, old[0], now[0])
    if (this.#pace.isDue()) yield
    this.#whole.compareItems(list, old, now)
    return this.#whole
  }

  *#itemsOf(list: ListShape, items: readonly unknown[] = []): Slices<ItemsByElement> {
    const found: ItemsByElement = new Map()
    for (const item of items) {
      addItem(found, list, item)
      if (this.#pace.isDue()) yield
    }
    return found
  }
}

/** A value that came or went as a whole is itself in the set. */
function begun(before: unknown, after: unknown): Differences {
  const found = new Differences()
  if (before === undefined) found.changed = { [self]: noFields }
  else if (after === undefined) found.removed = { [self]: noFields }
  return found
}

/** With what the value that came or went implies; one without anything below it is a leaf. */
function finished(shape: Shape, value: unknown, { changed, removed }: Differences, isEmpty: boolean): Difference {
  const node = changed ?? removed ?? {}
  const implied =
    shape.is === 'struct' ? shape.implied.filter(({ name }) => own(value as Fields, name) === undefined) : []
  for (const each of implied) node[each.element] = everything(each.shape, each.implied)
  const set = isEmpty && implied.length === 0 ? noFields : node
  return changed ? { changed: set, removed: undefined } : { changed: undefined, removed: set }
}

function fieldOf(shape: Shape, key: string): { inner: Shape; element: string; implied: unknown } {
  const field = shape.is === 'struct' ? shape.byName.get(key) : undefined
  if (field) return { inner: field.shape, element: field.element, implied: field.implied }
  return { inner: shape.is === 'map' ? shape.element : anyShape, element: fieldElement(key), implied: undefined }
}

function isFilled(value: unknown): value is Fields {
  return isRecord(value) && !isEmptyRecord(value)
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function isRecordOrAbsent(value: unknown): value is Fields | undefined {
  return value === undefined || isRecord(value)
}

function isListOrAbsent(value: unknown): value is readonly unknown[] | undefined {
  return value === undefined || Array.isArray(value)
}
