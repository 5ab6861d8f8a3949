import { isRecord } from '../../base/index.ts'
import { keyElement, valueElement } from '../fieldset/element.ts'
import type { ListShape } from './shape.ts'
import { type JsonFields, own } from './value.ts'

/** A value that does not match its type, in the words that clients know. */
export class TypedError extends Error {
  override readonly name = 'TypedError'
}

/** The element of an item in a set or a list with keys. Throws TypedError when the item has no unique identity. */
export function itemElement(list: ListShape, item: unknown): string {
  return list.semantics === 'map' ? elementByKeys(list, item) : elementByValue(item)
}

/** Number of elements of a list that are cached, and the longest name of an item whose element is. */
const rememberedMax = 256
const rememberedCharactersMax = 128

/** Names of containers, variables and volumes are frequent: their elements are formatted once. */
function elementByKeys(list: ListShape, item: unknown): string {
  if (item === null || item === undefined)
    throw new TypedError('associative list with keys may not have a null element')
  if (!isRecord(item)) throw new TypedError('associative list with keys may not have non-map elements')
  const { onlyKey, remembered } = list
  const name = onlyKey === undefined ? undefined : own(item, onlyKey)
  if (typeof name !== 'string' || name.length > rememberedCharactersMax) return writeElement(list, item)
  const known = remembered.get(name)
  if (known !== undefined) return known
  const element = writeElement(list, item)
  if (remembered.size >= rememberedMax) remembered.clear()
  remembered.set(name, element)
  return element
}

function writeElement(list: ListShape, item: JsonFields): string {
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

/** Elements that two lists have in the same order, each once; undefined for other lists, and for long ones. */
export function sharedElements(
  list: ListShape,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly string[] | undefined {
  const { length } = before
  if (length !== after.length || length > pairwiseMax) return undefined
  const elements: string[] = []
  for (let index = 0; index < length; index++) {
    const element = itemElement(list, before[index])
    if (element !== itemElement(list, after[index]) || elements.includes(element)) return undefined
    elements.push(element)
  }
  return elements
}

/** Up to this length, comparing each item with all others is faster than building a table. */
const pairwiseMax = 32

/** Items by their element, in order; items with the same element together. */
export type ItemsByElement = Map<string, unknown[]>

export function itemsByElement(list: ListShape, items: readonly unknown[]): ItemsByElement {
  const found: ItemsByElement = new Map()
  for (const item of items) addItem(found, list, item)
  return found
}

function addItem(found: ItemsByElement, list: ListShape, item: unknown): void {
  const element = itemElement(list, item)
  const twins = found.get(element)
  if (twins) twins.push(item)
  else found.set(element, [item])
}
