import type { FieldPath } from './yamloutline.ts'

/** A node of an OpenAPI v3 document's schemas, as far as the page reads it. */
export interface Schema {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly format?: string
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly 'x-kubernetes-list-type'?: string
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-int-or-string'?: boolean
}

/** The schema of a kind, and those that it refers to by name. */
export interface KindSchema {
  readonly root: Schema
  readonly named: Readonly<Record<string, Schema>>
}

/** References that lead to each other. */
const referencesMax = 10
const prefix = '#/components/schemas/'

/** The schema itself in the place of a reference, with what is said beside the reference. */
export function resolve(schema: Schema, { named }: KindSchema): Schema {
  let resolved = schema
  for (let count = 0; count < referencesMax; count++) {
    const { $ref, allOf, ...own } = resolved
    const [only] = allOf ?? []
    const target = $ref ?? (allOf?.length === 1 ? only?.$ref : undefined)
    if (target === undefined) return only && allOf?.length === 1 ? { ...only, ...own } : resolved
    resolved = {
      ...(Object.hasOwn(named, target.slice(prefix.length)) ? named[target.slice(prefix.length)] : {}),
      ...own,
    }
  }
  return resolved
}

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
