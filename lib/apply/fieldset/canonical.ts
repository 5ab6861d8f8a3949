import { parseJsonText } from '../../object/index.ts'
import { union } from './algebra.ts'
import { canonicalElement, compareTexts } from './element.ts'
import { type FieldSet, type FieldSetBuilder, noFields, self } from './fieldset.ts'

/** An invalid FieldsV1 value. */
export class FieldsV1Error extends Error {
  override readonly name = 'FieldsV1Error'
}

/** Deeper sets are refused. */
const fieldSetDepthMax = 500

/**
 * Reads a set that a client sent as fieldsV1. Elements of unknown kinds are left out, spellings become canonical.
 * Throws FieldsV1Error for anything but a tree of objects. Returns the value itself when it is canonical already.
 */
export function readFieldsV1(value: unknown, depth = 0): FieldSet {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FieldsV1Error('fieldsV1 is a tree of objects')
  if (depth > fieldSetDepthMax) throw new FieldsV1Error('fieldsV1 is too deep')
  const node = value as Record<string, unknown>
  let changed = false
  const children: FieldSetBuilder = {}
  let previous = ''
  for (const element of Object.keys(node)) {
    const child = readFieldsV1(node[element], depth + 1)
    const name = canonicalElement(element)
    if (name !== element || child !== node[element]) changed = true
    if (name === undefined) continue
    if (previous !== '' && compareElements(previous, name) >= 0) changed = true
    const twin = children[name]
    children[name] = name === self ? noFields : twin ? joinTwins(twin, child) : child
    previous = name
  }
  return changed ? inOrder(children) : (node as FieldSet)
}

/** Joins the sets below two spellings of one element. */
function joinTwins(a: FieldSet, b: FieldSet): FieldSet {
  return union({ 'f:': a }, { 'f:': b })['f:'] ?? noFields
}

/** The set with the keys of every node in canonical order. Returns the set itself when they are. */
export function canonical(set: FieldSet): FieldSet {
  let changed: FieldSetBuilder | undefined
  let sorted = true
  let previous: string | undefined
  for (const element in set) {
    const child = set[element] ?? noFields
    const ordered = child === noFields ? child : canonical(child)
    if (ordered !== child) (changed ??= { ...set })[element] = ordered
    if (sorted && previous !== undefined && compareElements(previous, element) > 0) sorted = false
    previous = element
  }
  const result = changed ?? set
  return sorted ? result : inOrder(result)
}

function inOrder(set: FieldSet): FieldSet {
  const keyed = Object.keys(set).map(withOrder)
  keyed.sort(compareOrdered)
  const result: FieldSetBuilder = {}
  for (const { element } of keyed) result[element] = set[element] ?? noFields
  return result
}

/** An element and its sort key. */
interface OrderedElement {
  readonly element: string
  readonly order: Order
}

function withOrder(element: string): OrderedElement {
  return { element, order: orderOf(element) }
}

function compareOrdered(a: OrderedElement, b: OrderedElement): number {
  return compareOrders(a.order, b.order)
}

/** Negative, 0 or positive: `.` first, then fields, list items by key, set items, indices. */
export function compareElements(a: string, b: string): number {
  if (a === b) return 0
  // Almost all pairs are two fields.
  if (a.startsWith('f:') && b.startsWith('f:')) return compareTexts(a, b)
  return compareOrders(orderOf(a), orderOf(b))
}

interface Order {
  readonly rank: number
  readonly text: string
  readonly value: unknown
}

const ranks: readonly string[] = ['.', 'f', 'k', 'v', 'i']

function orderOf(element: string): Order {
  const kind = element.slice(0, 1)
  const text = element.slice(2)
  const rank = ranks.indexOf(kind)
  return { rank, text, value: kind === '.' || kind === 'f' ? undefined : valueOf(kind, text) }
}

/** The keys of a list's item are sorted once, not for each comparison. */
function valueOf(kind: string, text: string): unknown {
  if (text.startsWith('"') && !text.includes('\\')) return text.slice(1, -1)
  const value: unknown = parseJsonText(text)
  return kind === 'k' ? Object.entries(value as object).flat() : value
}

function compareOrders(a: Order, b: Order): number {
  if (a.rank !== b.rank) return a.rank - b.rank
  if (a.value === undefined) return compareTexts(a.text, b.text)
  return compareValues(a.value, b.value)
}

/** Order: numbers, texts, booleans, lists, maps, null; items of a list by their keys' names and values in turn. */
function compareValues(a: unknown, b: unknown): number {
  const kind = kindOf(a)
  if (kind !== kindOf(b)) return kind - kindOf(b)
  if (typeof a === 'number' || typeof a === 'boolean') return Number(a) - Number(b)
  if (typeof a === 'string') return compareTexts(a, String(b))
  if (Array.isArray(a)) return compareLists(a, b as unknown[])
  if (a === null) return 0
  return compareLists(Object.entries(a as object).flat(), Object.entries(b as object).flat())
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const order = compareValues(a[index], b[index])
    if (order !== 0) return order
  }
  return a.length - b.length
}

function kindOf(value: unknown): number {
  if (typeof value === 'number') return 0
  if (typeof value === 'string') return 1
  if (typeof value === 'boolean') return 2
  if (Array.isArray(value)) return 3
  return value === null ? 5 : 4
}
