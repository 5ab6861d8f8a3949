import { quote } from '../../object/index.ts'
import { fieldElement, formatElement } from '../fieldset/element.ts'
import { itemElement, TypedError } from './listitem.ts'
import type { ListShape, MapShape, ScalarShape, Shape, StructShape } from './shape.ts'
import { isRecord } from './value.ts'

/** Findings beyond these are not looked for. */
export const typedErrorsMax = 100

/** Throws TypedError when a value does not fit its shape: unknown fields, wrong JSON types, items that stand twice. */
export function validateTyped(shape: Shape, value: unknown): void {
  const findings = new Findings()
  findings.check(shape, value, undefined)
  const [first] = findings.texts
  if (first === undefined) return
  throw new TypedError(
    findings.texts.length === 1 ? first : ['errors:', ...findings.texts.map((text) => `  ${text}`)].join('\n'),
  )
}

/** Where a value is, from the inside out: written down only for what is wrong. */
interface Path {
  readonly parent: Path | undefined
  readonly element: string
}

function textOf(path: Path): string {
  return (path.parent ? textOf(path.parent) : '') + formatElement(path.element)
}

class Findings {
  readonly texts: string[] = []

  check(shape: Shape, value: unknown, path: Path | undefined): void {
    if (value === null || value === undefined) return
    switch (shape.is) {
      case 'scalar':
        return this.#checkScalar(shape, value, path)
      case 'list':
        return this.#checkList(shape, value, path)
      case 'map':
      case 'struct':
        return this.#checkMap(shape, value, path)
      case 'any':
        return
    }
  }

  #add(path: Path | undefined, text: string): void {
    if (this.texts.length < typedErrorsMax) this.texts.push(path ? `${textOf(path)}: ${text}` : text)
  }

  #checkScalar({ accepts }: ScalarShape, value: unknown, path: Path | undefined): void {
    const isNumber = typeof value === 'number' || typeof value === 'bigint'
    if (accepts === 'number' && !isNumber) this.#add(path, `expected numeric (int or float), got ${goTypeName(value)}`)
    else if (accepts === 'string' && typeof value !== 'string')
      this.#add(path, `expected string, got &value.valueUnstructured{Value:${formatGoSyntax(value)}}`)
    else if (accepts === 'boolean' && typeof value !== 'boolean')
      this.#add(path, `expected boolean, got &{${formatGoValue(value)}}`)
    else if (accepts === 'scalar' && typeof value === 'object')
      this.#add(path, `expected any scalar, got &{${formatGoValue(value)}}`)
  }

  #checkList(list: ListShape, value: unknown, path: Path | undefined): void {
    if (!Array.isArray(value)) return this.#add(path, `expected list, got &{${formatGoValue(value)}}`)
    const seen = list.semantics === 'atomic' ? undefined : new Set<string>()
    for (const [index, item] of value.entries()) {
      let element = `i:${index}`
      if (seen) {
        try {
          element = itemElement(list, item)
        } catch (error) {
          if (!(error instanceof TypedError)) throw error
          return this.#add(path, `element ${index}: ${error.message}`)
        }
        if (seen.has(element)) this.#add(path, `duplicate entries for key ${formatElement(element)}`)
        seen.add(element)
      }
      this.check(list.element, item, { parent: path, element })
    }
  }

  #checkMap(shape: MapShape | StructShape, value: unknown, path: Path | undefined): void {
    if (!isRecord(value)) return this.#add(path, `expected map, got &{${formatGoValue(value)}}`)
    for (const name of Object.keys(value)) {
      const field = shape.is === 'struct' ? shape.byName.get(name) : undefined
      const inner = shape.is === 'map' ? shape.element : (field?.shape ?? shape.unknown)
      const at = { parent: path, element: field?.element ?? fieldElement(name) }
      // One unknown field ends the look at its struct.
      if (!inner) return this.#add(at, 'field not declared in schema')
      this.check(inner, value[name], at)
    }
  }
}

function goTypeName(value: unknown): string {
  if (typeof value === 'boolean') return 'bool'
  if (Array.isArray(value)) return '[]interface {}'
  return typeof value === 'object' ? 'map[string]interface {}' : typeof value
}

const shownCharactersMax = 4096

/** As Go's %v prints it: `map[a:1 b:[x y]]`. */
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

/** As Go's %#v prints it: `map[string]interface {}{"a":1}`. */
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
