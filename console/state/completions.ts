import { type KindSchema, resolve, type Schema } from '../../lib/console/tryout/openapischema.ts'
import { schemaAt, typeName } from './schema.ts'
import { beginsWith, outlineYaml, placeAtEnd } from './yamloutline.ts'

export interface Suggestion {
  readonly label: string
  /** Type of the field. */
  readonly detail: string
  readonly info: string
  /** Text to put in the place of what was typed. */
  readonly insert: string
  readonly isRequired: boolean
}

export interface Suggestions {
  /** Number of characters before the cursor that a suggestion replaces. */
  readonly replaces: number
  readonly list: readonly Suggestion[]
}

/** What the schema allows at the cursor: names of fields that are not there yet, or values of an enumeration. */
export function suggestionsAt(text: string, offset: number, kind: KindSchema): Suggestions | undefined {
  const place = placeAtEnd(text.slice(0, offset))
  const schema = place && schemaAt(kind, place.path)
  if (!place || !schema) return undefined
  const replaces = place.typed.length
  if (place.types === 'value') return { replaces, list: valuesOf(schema) }
  const present = new Set(
    outlineYaml(text)
      .filter((path) => path !== undefined && path.length > place.path.length && beginsWith(path, place.path))
      .map((path) => path?.[place.path.length]),
  )
  const required = new Set(schema.required)
  const list = Object.entries(schema.properties ?? {})
    .filter(([name]) => name === place.typed || !present.has(name))
    .map(([name, field]): Suggestion => {
      const resolved = resolve(field, kind)
      return {
        label: name,
        detail: typeName(resolved, kind),
        info: resolved.description ?? '',
        insert: `${name}:${valueStart(resolved, place.column)}`,
        isRequired: required.has(name),
      }
    })
  return { replaces, list }
}

/** What follows a name: a space, or the beginning of the next line for fields and items. */
function valueStart(schema: Schema, column: number): string {
  const indent = ' '.repeat(column)
  if (schema.type === 'array' || schema.items) return `\n${indent}- `
  const isObject = schema.properties !== undefined || typeof schema.additionalProperties === 'object'
  return isObject ? `\n${indent}  ` : ' '
}

function valuesOf({ enum: values, type, description = '' }: Schema): Suggestion[] {
  const allowed = values ?? (type === 'boolean' ? [true, false] : [])
  return allowed.map((value) => {
    const label = String(value)
    return { label, detail: '', info: description, insert: label, isRequired: false }
  })
}
