import { type KindSchema, resolve, type Schema } from '../../lib/console/tryout/openapischema.ts'
import type { FieldPath } from './yamloutline.ts'

/** The schema of the field at the path; undefined where it is unknown. */
export function schemaAt(kind: KindSchema, path: FieldPath): Schema | undefined {
  let schema: Schema | undefined = resolve(kind.root, kind)
  for (const step of path) {
    const next: Schema | undefined = childOf(schema, step)
    if (next === undefined) return undefined
    schema = resolve(next, kind)
  }
  return schema
}

function childOf(schema: Schema, step: FieldPath[number]): Schema | undefined {
  if (typeof step === 'number') return schema.items
  const { properties = {}, additionalProperties } = schema
  if (Object.hasOwn(properties, step)) return properties[step]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

/** The type in words: `string`, `[]object`, `map of string`. */
export function typeName(schema: Schema, kind: KindSchema): string {
  const { type, items, additionalProperties, format } = schema
  if (schema['x-kubernetes-int-or-string']) return 'integer or string'
  if (items) return `[]${typeName(resolve(items, kind), kind)}`
  if (typeof additionalProperties === 'object') return `map of ${typeName(resolve(additionalProperties, kind), kind)}`
  return format === undefined ? (type ?? 'any') : `${type} (${format})`
}

/** What a list is merged by: the names of the keys of its items. Undefined where it is a value as a whole. */
export function mergeKeys(schema: Schema | undefined): readonly string[] | undefined {
  return schema?.['x-kubernetes-list-type'] === 'map' ? schema['x-kubernetes-list-map-keys'] : undefined
}
