import { isRecord } from '../../../lib/base/index.ts'

/** Deeper schemas become `unknown`; the API server accepts none of them. */
const depthMax = 100
const indent = '  '

/**
 * The TypeScript type of a structural schema, as text; its later lines are indented for `level`. `oneOf`, `anyOf` and
 * `not` only restrict values in such schemas, and types don't express them; what they require is named in comments.
 */
export function typeOfSchema(schema: unknown, level = 0): string {
  if (!isRecord(schema) || level > depthMax) return 'unknown'
  const type = plainType(schema, level)
  return schema['nullable'] === true ? union([type, 'null']) : type
}

function plainType(schema: Readonly<Record<string, unknown>>, level: number): string {
  const { enum: values, items } = schema
  if (Array.isArray(values) && values.length > 0) return union(values.map(literalOf))
  if (schema['x-kubernetes-int-or-string'] === true) return 'number | string'
  switch (schema['type']) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array': {
      const item = typeOfSchema(items, level)
      return /[|&]/.test(item.replaceAll(/\{[\s\S]*\}|"(?:[^"\\]|\\.)*"/g, '')) ? `(${item})[]` : `${item}[]`
    }
    case 'object':
      return objectType(schema, level)
    default:
      return isRecord(schema['properties']) ? objectType(schema, level) : 'unknown'
  }
}

function objectType(schema: Readonly<Record<string, unknown>>, level: number): string {
  const embedded = schema['x-kubernetes-embedded-resource'] === true
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true
  const { additionalProperties } = schema
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const names = Object.keys(properties).filter((name) => !embedded || !embeddedFields.has(name))
  const parts: string[] = []
  if (embedded) parts.push('ApiObject')
  if (names.length > 0) parts.push(fieldsType(schema, properties, names, level))
  if (isRecord(additionalProperties)) parts.push(`{ [key: string]: ${typeOfSchema(additionalProperties, level)} }`)
  else if (open || additionalProperties === true || parts.length === 0) parts.push('{ [key: string]: unknown }')
  return parts.join(' & ')
}

const embeddedFields = new Set(['apiVersion', 'kind', 'metadata'])

function fieldsType(
  schema: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, unknown>>,
  names: readonly string[],
  level: number,
): string {
  const inner = indent.repeat(level + 1)
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const lines = names.flatMap((name) => {
    const field = properties[name]
    // The server fills in a default where the field is absent.
    const isOptional = !required.has(name) || (isRecord(field) && field['default'] !== undefined)
    return [
      ...commentOf(descriptionOf(field), inner),
      `${inner}${keyOf(name)}${isOptional ? '?' : ''}: ${typeOfSchema(field, level + 1)}`,
    ]
  })
  return `{\n${lines.join('\n')}\n${indent.repeat(level)}}`
}

/** With the fields of which a `oneOf` requires exactly one. */
export function descriptionOf(schema: unknown): string {
  if (!isRecord(schema)) return ''
  const { description, oneOf } = schema
  const text = typeof description === 'string' ? description : ''
  const choices = Array.isArray(oneOf) ? oneOf.map(requiredOf) : []
  if (choices.length === 0 || choices.includes('')) return text
  return `${text}${text === '' ? '' : '\n\n'}Exactly one of: ${choices.join('; ')}.`
}

function requiredOf(choice: unknown): string {
  const required = isRecord(choice) ? choice['required'] : undefined
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string').join(' with ') : ''
}

function literalOf(value: unknown): string {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value) ? quoted(value) : 'unknown'
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
}

/** A literal on one line: JSON leaves two separators of lines as they are. */
export function quoted(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

/** Maximum number of characters of one comment. */
const commentCharactersMax = 4000
const widthMax = 120

/** The lines of a comment. Nothing in the text can end it: it is written by others. */
export function commentOf(text: string, before = ''): string[] {
  const lines = text
    .slice(0, commentCharactersMax)
    .split(/\r\n|[\n\r\u2028\u2029\v\f\u0085]/)
    .flatMap((line) => wrapped(safe(line).trimEnd(), widthMax - before.length - 3))
  while (lines.at(-1) === '') lines.pop()
  while (lines[0] === '') lines.shift()
  if (lines.length === 0) return []
  if (lines.length === 1) return [`${before}/** ${lines[0]} */`]
  return [`${before}/**`, ...lines.map((line) => `${before} *${line === '' ? '' : ` ${line}`}`), `${before} */`]
}

function safe(line: string): string {
  return line.replaceAll(/\p{C}/gu, ' ').replaceAll('*/', '*\\/')
}

function wrapped(line: string, width: number): string[] {
  const lines: string[] = []
  let rest = line
  while (rest.length > width) {
    const at = rest.lastIndexOf(' ', width)
    if (at <= rest.length - rest.trimStart().length) break
    lines.push(rest.slice(0, at))
    rest = rest.slice(at + 1)
  }
  return [...lines, rest]
}

/** Whether the type of the schema names `ApiObject`: it has a whole object within. */
export function embedsObjects(schema: unknown, depth = 0): boolean {
  if (typeof schema !== 'object' || schema === null || depth > 2 * depthMax) return false
  if (isRecord(schema) && schema['x-kubernetes-embedded-resource'] === true) return true
  return Object.values(schema).some((value) => embedsObjects(value, depth + 1))
}
