import { isRecord, Pace, type WorkLimit } from '../../base/index.ts'
import { type FieldError, fieldErrors } from '../../object/index.ts'
import { fieldOf, keyOf } from './correlate.ts'
import type { SchemaNode } from './node.ts'
import { rootPath, type ValuePath } from './valuepath.ts'

/** Reports duplicate items of lists of type set or map; an error for the second one and each after it. */
export function validateLists(
  node: SchemaNode,
  value: unknown,
  work: WorkLimit,
  at: ValuePath = rootPath,
): FieldError[] {
  if (!node.below.lists) return []
  const errors: FieldError[] = []
  const long: ItemCheck[] = []
  visit(node, value, at, errors, long)
  const pace = new Pace()
  for (const check of long)
    for (const [index, item] of check.items.entries()) {
      if (pace.isDue()) work.check()
      if (errors.length < errorsMax) check.add(index, item, errors)
    }
  return errors
}

/** Longer lists are checked after all others. */
const shortItemsMax = 1000
/** Maximum number of reported errors. */
const errorsMax = 1000

function visit(node: SchemaNode, value: unknown, at: ValuePath, errors: FieldError[], long: ItemCheck[]): void {
  if (!node.below.lists || errors.length >= errorsMax) return
  if (Array.isArray(value)) {
    if (node.listType !== 'atomic') checkItems(new ItemCheck(node, value, at), errors, long)
    const { items } = node
    if (items?.below.lists)
      for (const [index, item] of value.entries()) visit(items, item, at.index(index), errors, long)
    return
  }
  if (!isRecord(value)) return
  for (const key of Object.keys(value)) {
    const property = node.properties.get(key)
    if (property) visit(property, value[key], at.field(key), errors, long)
    else if (typeof node.additional === 'object') visit(node.additional, value[key], at.key(key), errors, long)
  }
}

function checkItems(check: ItemCheck, errors: FieldError[], long: ItemCheck[]): void {
  if (check.items.length > shortItemsMax) long.push(check)
  else for (const [index, item] of check.items.entries()) check.add(index, item, errors)
}

/** Finds duplicate items of one list. */
class ItemCheck {
  readonly items: readonly unknown[]
  readonly #node: SchemaNode
  readonly #at: ValuePath
  /** Whether an item has been reported. */
  readonly #seen = new Map<string, boolean>()

  constructor(node: SchemaNode, items: readonly unknown[], at: ValuePath) {
    this.items = items
    this.#node = node
    this.#at = at
  }

  add(index: number, item: unknown, errors: FieldError[]): void {
    const node = this.#node
    const isMap = node.listType === 'map'
    const place = this.#at.index(index)
    if (isMap && !isRecord(item)) {
      errors.push(fieldErrors.invalid(place.label(), item, 'must be an object for an array of list-type map'))
      return
    }
    const text = isMap ? keyOf(node, item) : textOf(item)
    const isReported = this.#seen.get(text)
    if (isReported === undefined) this.#seen.set(text, false)
    else if (isMap || !isReported) {
      errors.push(fieldErrors.duplicate(place.label(), isMap ? keysOf(node, item) : item))
      this.#seen.set(text, true)
    }
  }
}

function keysOf(node: SchemaNode, item: unknown): Record<string, unknown> {
  const found = node.listKeys
    .map((key) => [key, fieldOf(item, key) ?? node.items?.properties.get(key)?.default] as const)
    .filter(([, value]) => value !== undefined)
  return Object.fromEntries(found)
}

/** Equal for equal values, whatever the order of their keys. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'bigint') return `${inner}n`
    return isRecord(inner) ? Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)) : inner
  })
}
