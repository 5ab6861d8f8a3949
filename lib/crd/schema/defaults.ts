import { isRecord } from '../../base/index.ts'
import { valuesMax } from '../../codec/index.ts'
import { copyObject, setField, statusErrors } from '../../object/index.ts'
import type { SchemaNode } from './node.ts'

type Fields = Record<string, unknown>

/** Removes, in place, the nulls of fields that are neither nullable nor have a default; nulls in lists stay. */
export function dropNulls(node: SchemaNode, value: unknown): void {
  if (Array.isArray(value)) {
    if (node.items) for (const item of value) if (typeof item === 'object' && item !== null) dropNulls(node.items, item)
    return
  }
  if (!isRecord(value) || (node.properties.size === 0 && typeof node.additional !== 'object')) return
  for (const key of Object.keys(value)) {
    const property = propertyOf(node, key)
    if (!property) continue
    const field = value[key]
    if (field === null) {
      if (!property.nullable && property.default === undefined) delete (value as Fields)[key]
    } else if (typeof field === 'object') dropNulls(property, field)
  }
}

/**
 * Maximum number of characters of all defaults of one object: a short list of empty objects must not grow without a
 * limit. Defaults add at most as many fields and items as a body may have.
 */
const defaultCharactersMax = 8 * 1024 * 1024

/** Defaults with more characters and values, all together, make any object a large one. */
export const largeCharactersMin = 64 * 1024
export const largeValuesMin = 2000

interface Size {
  readonly characters: number
  readonly values: number
}

/** The defaults of one schema. */
export class SchemaDefaults {
  readonly #root: SchemaNode
  /** The known sizes of defaults. */
  readonly #sizes = new Map<SchemaNode, Size>()

  constructor(root: SchemaNode) {
    this.#root = root
  }

  /**
   * Fills in defaults, in place: for absent fields, and for null where that is not allowed. True: they have made the
   * object a large one. Throws 413 beyond the limits.
   */
  apply(value: unknown): boolean {
    if (!this.#root.below.defaults) return false
    const filling = new Filling(this.#sizes)
    filling.fill(this.#root, value)
    return filling.isLarge
  }
}

class Filling {
  #charactersLeft = defaultCharactersMax
  #valuesLeft = valuesMax
  readonly #sizes: Map<SchemaNode, Size>

  constructor(sizes: Map<SchemaNode, Size>) {
    this.#sizes = sizes
  }

  get isLarge(): boolean {
    return (
      defaultCharactersMax - this.#charactersLeft >= largeCharactersMin ||
      valuesMax - this.#valuesLeft >= largeValuesMin
    )
  }

  fill(node: SchemaNode, value: unknown): void {
    if (!node.below.defaults) return
    if (Array.isArray(value)) return this.#fillItems(node, value)
    if (!isRecord(value)) return
    const fields = value as Fields
    for (const [name, property] of node.below.defaulted) {
      const isThere = Object.hasOwn(fields, name)
      if (property.default !== undefined && (!isThere || (fields[name] === null && !property.nullable)))
        setField(fields, name, this.#copy(property))
      else if (!isThere) continue
      this.fill(property, fields[name])
    }
    const { additional } = node
    if (typeof additional !== 'object' || (additional.default === undefined && !additional.below.defaults)) return
    for (const name of Object.keys(fields)) {
      if (node.properties.has(name)) continue
      if (fields[name] === null && !additional.nullable && additional.default !== undefined)
        setField(fields, name, this.#copy(additional))
      this.fill(additional, fields[name])
    }
  }

  #fillItems({ items }: SchemaNode, value: unknown[]): void {
    if (!items) return
    for (const [index, item] of value.entries()) {
      if (item === null && !items.nullable && items.default !== undefined) value[index] = this.#copy(items)
      this.fill(items, value[index])
    }
  }

  #copy(node: SchemaNode): unknown {
    const { characters, values } = this.#sizeOf(node)
    this.#charactersLeft -= characters
    this.#valuesLeft -= values
    if (this.#charactersLeft < 0 || this.#valuesLeft < 0)
      throw statusErrors.tooLarge('the object is too large with its default values')
    return copyObject(node.default)
  }

  #sizeOf(node: SchemaNode): Size {
    let size = this.#sizes.get(node)
    if (!size) {
      this.#sizes.set(node, (size = sizeOf(node.default)))
    }
    return size
  }
}

/** The approximate length of its JSON. */
function sizeOf(value: unknown): Size {
  if (typeof value === 'string') return { characters: value.length + 2, values: 1 }
  if (typeof value !== 'object' || value === null) return { characters: 4, values: 1 }
  let [characters, values] = [2, 1]
  for (const key in value) {
    const inner = sizeOf((value as Fields)[key])
    characters += inner.characters + (Array.isArray(value) ? 1 : key.length + 4)
    values += inner.values
  }
  return { characters, values }
}

function propertyOf(node: SchemaNode, key: string): SchemaNode | undefined {
  const property = node.properties.get(key)
  if (property) return property
  return typeof node.additional === 'object' ? node.additional : undefined
}
