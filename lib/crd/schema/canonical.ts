import { CanonicalStructs, type SortedText } from '../../codec/index.ts'
import type { StructType } from '../../schema/index.ts'
import { objectFields, type SchemaNode } from './node.ts'

const [quote, comma, openBrace, closeBrace] = [0x22, 0x2c, 0x7b, 0x7d]
const [openBracket, closeBracket, firstOfNull] = [0x5b, 0x5d, 0x6e]

type Node = SchemaNode | true | undefined

interface Property {
  /** The key as written in the text, with its quotes. */
  readonly key: Uint8Array
  readonly node: SchemaNode
}

interface Fields {
  /** Sorted by the bytes of their keys. */
  readonly properties: readonly Property[]
  /**
   * No text is known to be canonical here: a name may be escaped in the text, or rules for metadata may change them.
   */
  readonly odd: boolean
}

/**
 * Recognizes texts of objects that pruning, defaults and all other processing of stored objects would not change. It
 * follows prune, dropNulls, coerceEmbedded and applyDefaults, which walk values in the same way.
 */
export class CanonicalSchema {
  readonly #structs = new CanonicalStructs()
  readonly #metadata: StructType
  readonly #fields = new WeakMap<SchemaNode, Fields>()
  readonly #keeping = new WeakMap<SchemaNode, SchemaNode>()

  constructor(metadata: StructType) {
    this.#metadata = metadata
  }

  /**
   * Reads from the opening brace of a whole or embedded object to behind the closing one; -1: not known to be
   * canonical.
   */
  object(text: SortedText, from: number, root: SchemaNode): number {
    return this.#object(text, from, root, true, 0)
  }

  #value(text: SortedText, at: number, node: Node, depth: number): number {
    const byte = text.bytes[at]
    if (byte === openBrace) return this.#object(text, at, node, typeof node === 'object' && node.embedded, depth + 1)
    if (byte === openBracket) return this.#list(text, at, node, depth + 1)
    if (byte === firstOfNull && typeof node === 'object' && !node.nullable) return -1
    return text.value(at, depth)
  }

  #object(text: SortedText, from: number, node: Node, isObject: boolean, depth: number): number {
    const { bytes } = text
    if (depth > depthMax || bytes[from] !== openBrace) return -1
    const known = typeof node === 'object' ? node : undefined
    const { properties, odd } = known ? this.#fieldsOf(known, isObject) : noFields
    if (odd) return -1
    if (bytes[from + 1] === closeBrace)
      return isObject || lacksDefault(properties, 0, properties.length) ? -1 : from + 2
    let index = 0
    let hasMetadata = !isObject
    let keyFrom = -1
    let keyTo = -1
    for (let at = from + 1; ; at++) {
      const behind = text.key(at, keyFrom, keyTo)
      if (behind < 0) return -1
      keyFrom = at
      keyTo = behind
      const found = findProperty(text, at, behind, properties, index)
      if (lacksDefault(properties, index, found)) return -1
      const property = properties[found]
      const isThere = property !== undefined && text.isText(at, behind, property.key)
      index = isThere ? found + 1 : found
      if (isObject && text.isText(at, behind, metadataKey)) {
        hasMetadata = true
        at = this.#structs.struct(text, behind + 1, this.#metadata)
      } else if (isObject && isObjectField(text, at, behind))
        at = bytes[behind + 1] === quote ? text.string(behind + 2) : -1
      else if (isThere) at = this.#value(text, behind + 1, property.node, depth)
      else if (known?.additional !== undefined) at = this.#value(text, behind + 1, known.additional, depth)
      else at = known?.preserve === true ? text.value(behind + 1, depth) : -1
      if (at < 0) return -1
      if (bytes[at] === closeBrace)
        return hasMetadata && !lacksDefault(properties, index, properties.length) ? at + 1 : -1
      if (bytes[at] !== comma) return -1
    }
  }

  #list(text: SortedText, from: number, node: Node, depth: number): number {
    const { bytes } = text
    if (depth > depthMax) return -1
    if (bytes[from + 1] === closeBracket) return from + 2
    const known = typeof node === 'object' ? node : undefined
    const items = this.#itemsOf(known)
    for (let at = from + 1; ; at++) {
      at = this.#item(text, at, known, items, depth)
      if (at < 0) return -1
      if (bytes[at] === closeBracket) return at + 1
      if (bytes[at] !== comma) return -1
    }
  }

  #item(
    text: SortedText,
    at: number,
    list: SchemaNode | undefined,
    items: SchemaNode | undefined,
    depth: number,
  ): number {
    if (list?.preserve && !items) return text.value(at, depth)
    if (text.bytes[at] !== firstOfNull) return this.#value(text, at, items, depth)
    // A null stays in its list unless its item has a default.
    return items && !items.nullable && items.default !== undefined ? -1 : text.value(at, depth)
  }

  /** The items of a list that keeps unknown fields keep them, too. */
  #itemsOf(list: SchemaNode | undefined): SchemaNode | undefined {
    const items = list?.items
    if (!items || !list.preserve || items.preserve) return items
    let keeping = this.#keeping.get(items)
    if (!keeping) this.#keeping.set(items, (keeping = { ...items, preserve: true }))
    return keeping
  }

  #fieldsOf(node: SchemaNode, isObject: boolean): Fields {
    let fields = this.#fields.get(node)
    if (fields) return fields
    const properties = Array.from(node.properties, ([name, property]) => ({
      key: Buffer.from(JSON.stringify(name)),
      node: property,
    })).sort((a, b) => Buffer.compare(a.key.subarray(0, -1), b.key.subarray(0, -1)))
    const isOdd = ([name, property]: readonly [string, SchemaNode]): boolean =>
      !plainName.test(name) || (isObject && objectFields.has(name) && !isHarmless(property))
    fields = { properties, odd: Array.from(node.properties).some(isOdd) }
    this.#fields.set(node, fields)
    return fields
  }
}

const depthMax = 64
const noFields: Fields = { properties: [], odd: false }
/** Names that need no escapes in the text, and whose bytes have the order of the text. */
const plainName = /^[ !#-%'-;=?-[\]-~]+$/
const metadataKey = Buffer.from('"metadata"')
const objectKeys = Array.from(objectFields, (name) => Buffer.from(JSON.stringify(name)))

/** Whether the schema of metadata, apiVersion or kind leaves them unchanged. */
function isHarmless({ default: value, below, additional, items, properties }: SchemaNode): boolean {
  return (
    value === undefined &&
    !below.defaults &&
    !below.embedded &&
    additional === undefined &&
    !items &&
    !properties.has('managedFields')
  )
}

function isObjectField(text: SortedText, from: number, to: number): boolean {
  return objectKeys.some((key) => text.isText(from, to, key))
}

/** Whether any of the absent properties from `from` to before `to` has a default. */
function lacksDefault(properties: readonly Property[], from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (properties[i]?.node.default !== undefined) return true
  return false
}

/**
 * The index of the first property, from `index` on, that is not before the key. A key with escapes matches no property
 * and skips none.
 */
function findProperty(
  text: SortedText,
  from: number,
  to: number,
  properties: readonly Property[],
  index: number,
): number {
  if (text.lastEscape > from) return index
  let i = index
  for (let property = properties[i]; property && isBefore(text, property.key, from, to); property = properties[i]) i++
  return i
}

/** Whether a key sorts before that between the positions, both with their quotes. */
function isBefore({ bytes }: SortedText, key: Uint8Array, from: number, to: number): boolean {
  const length = Math.min(key.length, to - from) - 1
  for (let i = 1; i < length; i++) {
    const difference = (bytes[from + i] ?? 0) - (key[i] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return key.length < to - from
}
