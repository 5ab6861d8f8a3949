import { parseJsonText, quote } from '../../object/index.ts'
import { self } from './fieldset.ts'

/** The element of a struct's field or a map's key. */
export function fieldElement(name: string): string {
  return `f:${name}`
}

/** The element of a set's item. */
export function valueElement(value: unknown): string {
  return `v:${canonicalJson(value)}`
}

/** The element of a list item by its keys: pairs of name and value, sorted by name. */
export function keyElement(pairs: readonly (readonly [name: string, value: unknown])[]): string {
  let text = 'k:{'
  for (const [name, value] of pairs) {
    if (text.length > 3) text += ','
    text += `${canonicalString(name)}:${canonicalJson(value)}`
  }
  return `${text}}`
}

const plain = /^[ !#-%'-;=?-[\]-~]*$/

/** JSON as the stock server writes it within elements: sorted keys, and `<`, `>` and `&` escaped. */
function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return canonicalString(value)
  if (value === null || value === undefined) return 'null'
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const entries = Object.entries(value).sort(([a], [b]) => compareTexts(a, b))
  return `{${entries.map(([key, inner]) => `${canonicalString(key)}:${canonicalJson(inner)}`).join(',')}}`
}

function canonicalString(text: string): string {
  if (plain.test(text)) return `"${text}"`
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** An element in its canonical spelling; undefined for unknown elements. */
export function canonicalElement(element: string): string | undefined {
  if (element === self || element.startsWith('f:')) return element
  const text = element.slice(2)
  if (element.startsWith('i:')) return /^(0|[1-9][0-9]*)$/.test(text) ? element : undefined
  if (!element.startsWith('k:') && !element.startsWith('v:')) return undefined
  let value: unknown
  try {
    value = parseJsonText(text)
  } catch {
    return undefined
  }
  if (element.startsWith('v:')) return valueElement(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return keyElement(Object.entries(value).sort(([a], [b]) => compareTexts(a, b)))
}

/** A path in the form of errors: `.spec.ports[port=80,protocol="TCP"].name`, `.metadata.finalizers[="x"]`, `.a[3]`. */
export function formatPath(path: readonly string[]): string {
  return path.map(formatElement).join('')
}

export function formatElement(element: string): string {
  const text = element.slice(2)
  if (element.startsWith('f:')) return `.${text}`
  if (element.startsWith('i:')) return `[${text}]`
  const value: unknown = parseJsonText(text)
  if (element.startsWith('v:')) return `[=${formatScalar(value)}]`
  const pairs = Object.entries(value as Record<string, unknown>)
  return `[${pairs.map(([name, inner]) => `${name}=${formatScalar(inner)}`).join(',')}]`
}

function formatScalar(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return `[${value.map(formatScalar).join(',')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{${Object.entries(value)
    .map(([key, inner]) => `${key}=${formatScalar(inner)}`)
    .join(';')}}`
}

/** Compares texts by their UTF-8 bytes, as Go does; JavaScript's order differs beyond U+D800. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return codeUnitOrder(left) - codeUnitOrder(right)
  }
  return a.length - b.length
}

/** Surrogates encode characters after U+FFFF. */
function codeUnitOrder(unit: number): number {
  if (unit < 0xd800) return unit
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000
}
