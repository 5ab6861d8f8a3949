import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

/** Definitions that the world uses, where they lie beside this project. */
const folder = join(import.meta.dirname, '../../../../shared/crds')

export interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema
  readonly 'x-kubernetes-validations'?: readonly { readonly rule: string; readonly message?: string }[]
  readonly [keyword: string]: unknown
}

export interface Published {
  readonly kind: string
  readonly plural: string
  readonly group: string
  readonly file: string
  readonly text: string
  readonly schemas: readonly Schema[]
}

interface Definition {
  readonly kind: string
  readonly spec: {
    readonly group: string
    readonly names: { readonly kind: string; readonly plural: string }
    readonly versions: readonly { readonly served: boolean; readonly schema: { readonly openAPIV3Schema: Schema } }[]
  }
}

/** Every published definition with the schemas that it serves; none where they are not there. */
export function readPublished(): readonly Published[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'))
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    return parseAllDocuments(text).flatMap((document) => {
      const definition = document.toJS({ maxAliasCount: -1 }) as Definition | null
      if (definition?.kind !== 'CustomResourceDefinition') return []
      const { group, names, versions } = definition.spec
      const schemas = versions.filter(({ served }) => served).map(({ schema }) => schema.openAPIV3Schema)
      return [{ kind: names.kind, plural: names.plural, group, file: join(folder, file), text, schemas }]
    })
  })
}

/** The messages of all rules in a schema, each once. */
export function messagesIn(schema: Schema, found = new Set<string>()): ReadonlySet<string> {
  for (const { rule, message = `failed rule: ${rule}` } of schema['x-kubernetes-validations'] ?? []) found.add(message)
  for (const child of Object.values(schema.properties ?? {})) messagesIn(child, found)
  if (schema.items) messagesIn(schema.items, found)
  if (typeof schema.additionalProperties === 'object') messagesIn(schema.additionalProperties, found)
  return found
}

interface Breakage {
  /** The keyword of the schema that is not kept. */
  readonly keyword: string
  /** `spec.rules[0].name`. */
  readonly path: string
  readonly value: unknown
}

/** Values of the keyword that break it; undefined where none is worth the trouble. */
const breakers: Readonly<Record<string, (limit: never, value: unknown) => unknown>> = {
  enum: () => 'NoSuchValue',
  pattern: () => '\u0001',
  maxLength: (limit: number) => (limit > 10_000 ? undefined : 'a'.repeat(limit + 1)),
  minLength: (limit: number) => (limit > 0 ? '' : undefined),
  maximum: (limit: number) => limit + 1,
  minimum: (limit: number) => limit - 1,
  maxItems: (limit: number, value) => (limit > 100 ? undefined : Array.from({ length: limit + 1 }, () => (value as unknown[])[0])), // biome-ignore format: one line
  minItems: (limit: number) => (limit > 0 ? [] : undefined),
  type: (_limit, value) => (typeof value === 'object' ? 'text' : { a: {} }),
}

/** The first place in a valid value for each keyword of its schema, with a value there that breaks it. */
export function breakagesOf(
  schema: Schema,
  value: unknown,
  path: string,
  found = new Map<string, Breakage>(),
): ReadonlyMap<string, Breakage> {
  // biome-ignore format: one line
  for (const [keyword, breaker] of Object.entries(breakers)) {
    const limit = schema[keyword]
    if (limit === undefined || found.has(keyword)) continue
    const broken = breaker(limit as never, value)
    if (broken !== undefined) found.set(keyword, { keyword, path, value: broken })
  }
  if (Array.isArray(value)) {
    if (schema.items && value.length > 0) breakagesOf(schema.items, value[0], `${path}[0]`, found)
  } else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      const child = schema.properties?.[name]
      if (!child) continue
      if (schema.required?.includes(name) && !found.has('required') && child['default'] === undefined)
        found.set('required', { keyword: 'required', path: `${path}.${name}`, value: undefined })
      breakagesOf(child, member, `${path}.${name}`, found)
    }
  return found
}

/** A copy with another value at the path; undefined removes the member. */
export function withValue(object: unknown, path: string, value: unknown): unknown {
  const copy: unknown = structuredClone(object)
  const keys = path.split(/\.|(?=\[)/).map((key) => (key.startsWith('[') ? Number(key.slice(1, -1)) : key))
  const last = keys.pop() ?? ''
  const holder = keys.reduce((at, key) => (at as Record<string, unknown>)[key] as object, copy as object)
  if (value === undefined) Reflect.deleteProperty(holder, last)
  else Reflect.set(holder, last, value)
  return copy
}
