// Read by the page, too: it imports nothing.

/** A node of an OpenAPI v3 document's schemas, as far as the page and the try-out box read it. */
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
  readonly 'x-kubernetes-map-type'?: string
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
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
