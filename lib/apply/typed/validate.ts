import { isRecord } from '../../base/index.ts'
import { quote } from '../../object/index.ts'
import { fieldElement, formatElement, formatPath } from '../fieldset/element.ts'
import { itemElement, TypedError } from './listitem.ts'
import type { ListShape, MapShape, ScalarShape, Shape, StructShape } from './shape.ts'

/** Maximum number of errors; the search stops there. */
export const typedErrorsMax = 100

/** Throws TypedError when a value does not match its shape: unknown fields, wrong JSON types, repeated items. */
export function validateTyped(shape: Shape, value: unknown): void {
  const findings = new Findings()
  findings.check(shape, value)
  throwFound(findings.texts)
}

function throwFound(texts: readonly string[]): void {
  const [first] = texts
  if (first === undefined) return
  throw new TypedError(texts.length === 1 ? first : ['errors:', ...texts.map((text) => `  ${text}`)].join('\n'))
}

class Findings {
  readonly texts: string[] = []
  /** Elements, and indexes of atomic lists, down to the present value. */
  readonly #path: (string | number)[] = []

  check(shape: Shape, value: unknown): void {
    if (value === null || value === undefined) return
    switch (shape.is) {
      case 'scalar':
        return this.#checkScalar(shape, value)
      case 'list':
        return this.#checkList(shape, value)
      case 'map':
      case 'struct':
        return this.#checkMap(shape, value)
      case 'any':
        return
    }
  }

  #below(at: string | number, shape: Shape, value: unknown): void {
    this.#path.push(at)
    this.check(shape, value)
    this.#path.pop()
  }

  #add(text: string): void {
    if (this.texts.length >= typedErrorsMax) return
    const place = formatPath(this.#path.map((at) => (typeof at === 'number' ? `i:${at}` : at)))
    this.texts.push(place === '' ? text : `${place}: ${text}`)
  }

  #checkScalar({ accepts }: ScalarShape, value: unknown): void {
    const isNumber = typeof value === 'number' || typeof value === 'bigint'
    if (accepts === 'number' && !isNumber) this.#add(`expected numeric (int or float), got ${goTypeName(value)}`)
    else if (accepts === 'string' && typeof value !== 'string')
      this.#add(`expected string, got &value.valueUnstructured{Value:${formatGoSyntax(value)}}`)
    else if (accepts === 'boolean' && typeof value !== 'boolean')
      this.#add(`expected boolean, got &{${formatGoValue(value)}}`)
    else if (accepts === 'scalar' && typeof value === 'object')
      this.#add(`expected any scalar, got &{${formatGoValue(value)}}`)
  }

  #checkList(list: ListShape, value: unknown): void {
    if (!Array.isArray(value)) return this.#add(`expected list, got &{${formatGoValue(value)}}`)
    if (list.semantics === 'atomic') {
      for (const [index, item] of value.entries()) this.#below(index, list.element, item)
      return
    }
    const seen = new Set<string>()
    for (const [index, item] of value.entries()) {
      const element = this.#enter(list, item, index, seen)
      if (element === undefined) return
      this.check(list.element, item)
      this.#path.pop()
    }
  }

  /** Enters an item; undefined for one without a unique identity, which ends the check of the list. */
  #enter(list: ListShape, item: unknown, index: number, seen: Set<string>): string | undefined {
    const element = this.#elementOf(list, item, index)
    if (element === undefined) return undefined
    if (seen.has(element)) this.#add(`duplicate entries for key ${formatElement(element)}`)
    seen.add(element)
    this.#path.push(element)
    return element
  }

  /** Undefined for an item without a unique identity, which is reported. */
  #elementOf(list: ListShape, item: unknown, index: number): string | undefined {
    try {
      return itemElement(list, item)
    } catch (error) {
      if (!(error instanceof TypedError)) throw error
      this.#add(`element ${index}: ${error.message}`)
      return undefined
    }
  }

  #checkMap(shape: MapShape | StructShape, value: unknown): void {
    if (!isRecord(value)) return this.#add(`expected map, got &{${formatGoValue(value)}}`)
    for (const name in value) {
      const inner = this.#enterField(shape, name)
      if (!inner) return
      this.check(inner, value[name])
      this.#path.pop()
    }
  }

  /** Enters a field; undefined for an unknown one, which ends the check of its map. */
  #enterField(shape: MapShape | StructShape, name: string): Shape | undefined {
    const field = shape.is === 'struct' ? shape.byName.get(name) : undefined
    const inner = shape.is === 'map' ? shape.element : (field?.shape ?? shape.unknown)
    this.#path.push(field?.element ?? fieldElement(name))
    if (inner) return inner
    this.#add('field not declared in schema')
    this.#path.pop()
    return undefined
  }
}

function goTypeName(value: unknown): string {
  if (typeof value === 'boolean') return 'bool'
  if (Array.isArray(value)) return '[]interface {}'
  return typeof value === 'object' ? 'map[string]interface {}' : typeof value
}

const shownCharactersMax = 4096

/** Formats a value as Go's %v: `map[a:1 b:[x y]]`. */
function formatGoValue(value: unknown): string {
  return cut(formatPlain(value))
}

function formatPlain(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(formatPlain).join(' ')}]`
  if (typeof value !== 'object') return String(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `map[${entries.map(([key, inner]) => `${key}:${formatPlain(inner)}`).join(' ')}]`
}

/** Formats a value as Go's %#v: `map[string]interface {}{"a":1}`. */
function formatGoSyntax(value: unknown): string {
  return cut(formatSyntax(value))
}

function formatSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)'
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return `[]interface {}{${value.map(formatSyntax).join(', ')}}`
  if (typeof value !== 'object') return String(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `map[string]interface {}{${entries.map(([key, inner]) => `${quote(key)}:${formatSyntax(inner)}`).join(', ')}}`
}

function cut(text: string): string {
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text
}
