import { isRecord } from '../../base/index.ts'
import { type FieldError, fieldErrors } from '../../object/index.ts'
import { fieldOf, keyOf } from './correlate.ts'
import type { SchemaNode } from './node.ts'
import { type Place, rootPlace } from './place.ts'

/** Items that stand in a list of type set or map more than once; an error for the second one and each after it. */
export function validateLists(node: SchemaNode, value: unknown, at: Place = rootPlace): FieldError[] {
  const errors: FieldError[] = []
  visit(node, value, at, errors)
  return errors
}

function visit(node: SchemaNode, value: unknown, at: Place, errors: FieldError[]): void {
  if (!node.below.lists) return
  if (Array.isArray(value)) {
    if (node.listType !== 'atomic') checkItems(node, value, at, errors)
    const { items } = node
    if (items?.below.lists) for (const [index, item] of value.entries()) visit(items, item, at.index(index), errors)
    return
  }
  if (!isRecord(value)) return
  for (const key of Object.keys(value)) {
    const property = node.properties.get(key)
    if (property) visit(property, value[key], at.field(key), errors)
    else if (typeof node.additional === 'object') visit(node.additional, value[key], at.key(key), errors)
  }
}

function checkItems(node: SchemaNode, items: readonly unknown[], at: Place, errors: FieldError[]): void {
  const isMap = node.listType === 'map'
  const seen = new Map<string, boolean>()
  for (const [index, item] of items.entries()) {
    const place = at.index(index)
    if (isMap && !isRecord(item)) {
      errors.push(fieldErrors.invalid(place.label(), item, 'must be an object for an array of list-type map'))
      continue
    }
    const text = isMap ? keyOf(node, item) : textOf(item)
    const isReported = seen.get(text)
    if (isReported === undefined) seen.set(text, false)
    else if (isMap || !isReported) {
      errors.push(fieldErrors.duplicate(place.label(), isMap ? keysOf(node, item) : item))
      seen.set(text, true)
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
