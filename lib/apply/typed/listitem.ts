import { keyElement, valueElement } from '../fieldset/element.ts'
import { isRecord } from './value.ts'
import type { ListShape } from './shape.ts'

/** A value that does not fit its type, in the words that clients know. */
export class TypedError extends Error {
  override readonly name = 'TypedError'
}

/** The element of an item in a set or a list with keys. Throws TypedError when the item can't be told apart. */
export function itemElement(list: ListShape, item: unknown): string {
  return list.semantics === 'map' ? elementByKeys(list, item) : elementByValue(item)
}

function elementByKeys(list: ListShape, item: unknown): string {
  if (item === null || item === undefined)
    throw new TypedError('associative list with keys may not have a null element')
  if (!isRecord(item)) throw new TypedError('associative list with keys may not have non-map elements')
  const pairs: (readonly [string, unknown])[] = []
  for (const { name, fallback } of list.sortedKeys) {
    const value = Object.hasOwn(item, name) && item[name] !== undefined ? item[name] : fallback
    if (value !== undefined) pairs.push([name, value])
  }
  if (pairs.length > 0) return keyElement(pairs)
  const names = list.keys.map(({ name }) => JSON.stringify(name)).join(' ')
  throw new TypedError(
    `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  )
}

function elementByValue(item: unknown): string {
  if (item === null || item === undefined)
    throw new TypedError("associative list without keys has an element that's an explicit null")
  if (Array.isArray(item)) throw new TypedError('not supported: associative list with lists as elements')
  if (typeof item === 'object') throw new TypedError("associative list without keys has an element that's a map type")
  return valueElement(item)
}

/** Items by their element, in order; those of one element that stands several times together. */
export function itemsByElement(list: ListShape, items: readonly unknown[]): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>()
  for (const item of items) {
    const element = itemElement(list, item)
    const twins = found.get(element)
    if (twins) twins.push(item)
    else found.set(element, [item])
  }
  return found
}
