import type * as v1 from '../../api/gen/apiextensions.k8s.io/v1.ts'
import { checkDefinitionStructure, unreadableStructure } from '../kinds/index.ts'
import { type FieldError, FieldPath } from '../object/index.ts'
import { typeMetaProperties } from '../openapi/index.ts'
import type { PublishedSchema } from '../schema/index.ts'
import type { Version } from './definition/definition.ts'
import type { DefinitionSummary } from './definitionsummary.ts'

type Schema = v1.JSONSchemaProps
type Json = Record<string, unknown>
type Reference = (type: string) => Json

/** The OpenAPI schema of a definition's version. `load` answers the stored version. */
export function publishedSchemaOf(
  { group, names, uid, generation }: DefinitionSummary,
  { name: version, selectableFields }: Version,
  load: () => { readonly version: Version | undefined; readonly preserveUnknownFields: boolean },
): PublishedSchema {
  return {
    name: `${group.split('.').reverse().join('.')}.${version}.${names.kind}`,
    fingerprint: `${uid}/${generation}`,
    definition(dialect, reference) {
      const { version: found, preserveUnknownFields } = load()
      const schema = found?.schema?.openAPIV3Schema
      const fields = selectableFields?.map(({ jsonPath }) => ({ fieldPath: jsonPath.replace(/^\./, '') }))
      const selectable: Json = fields?.length ? { 'x-kubernetes-selectable-fields': fields } : {}
      if (
        !schema ||
        !isStructural(schema) ||
        (dialect === 2 && (preserveUnknownFields || schema['x-kubernetes-preserve-unknown-fields']))
      )
        return { type: 'object', ...selectable }
      const root = dialect === 2 ? lossy(schema) : full(schema)
      const properties = {
        ...(root['properties'] as Json | undefined),
        ...typeMetaProperties,
        metadata: metadataOf(dialect, reference),
      }
      return {
        ...withEmbedded(root, dialect, reference),
        properties: withEmbeddedBelow(properties, dialect, reference),
        ...selectable,
      }
    },
  }
}

/** Definitions of old releases may have schemas that are not structural; clients get none of them. */
function isStructural(schema: Schema): boolean {
  if (unreadableStructure(schema) !== undefined) return false
  const errors: FieldError[] = []
  checkDefinitionStructure(errors, schema, FieldPath.root('openAPIV3Schema'))
  return errors.length === 0
}

function metadataOf(dialect: 2 | 3, reference: Reference): Json {
  const ref = reference('meta/v1.ObjectMeta')
  const description = "Standard object's metadata: its name, labels, annotations and the like."
  return dialect === 2 ? { description, ...ref } : { description, allOf: [ref] }
}

/** The OpenAPI 3 form of a schema, which keeps everything; numbers or strings are expressed in its own way. */
function full(schema: Schema): Json {
  const out: Json = { ...schema }
  mapInner(out, schema, full)
  if (schema['x-kubernetes-int-or-string'] && !schema.anyOf && !schema.allOf)
    out['anyOf'] = [{ type: 'integer' }, { type: 'string' }]
  return out
}

const junctors = ['oneOf', 'anyOf', 'allOf', 'not', 'default', 'nullable'] as const

/** The OpenAPI 2 form of a schema: constraints that it can't express are omitted. */
function lossy(schema: Schema): Json {
  const out: Json = { ...schema }
  for (const field of junctors) delete out[field]
  mapInner(out, schema, lossy)
  if (schema.required && schema.properties) {
    const required = schema.required.filter((name) => schema.properties?.[name]?.nullable !== true)
    if (required.length > 0) out['required'] = required
    else delete out['required']
  }
  if (schema['x-kubernetes-preserve-unknown-fields'])
    for (const field of ['type', 'properties', 'items']) delete out[field]
  if (schema.nullable) for (const field of ['type', 'items', 'properties']) delete out[field]
  if (schema.type === 'array' && !schema.items) delete out['type']
  if (schema['x-kubernetes-int-or-string']) delete out['type']
  return out
}

function mapInner(out: Json, schema: Schema, map: (inner: Schema) => Json): void {
  if (schema.properties)
    out['properties'] = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, map(property)]),
    )
  if (schema.items && !Array.isArray(schema.items)) out['items'] = map(schema.items)
  if (typeof schema.additionalProperties === 'object') out['additionalProperties'] = map(schema.additionalProperties)
}

/** Embedded objects have apiVersion, kind and metadata, like all objects. */
function withEmbedded(schema: Json, dialect: 2 | 3, reference: Reference): Json {
  let out = schema
  if (out['properties']) out = { ...out, properties: withEmbeddedBelow(out['properties'] as Json, dialect, reference) }
  for (const field of ['items', 'additionalProperties'])
    if (typeof out[field] === 'object' && out[field] !== null)
      out = { ...out, [field]: withEmbedded(out[field] as Json, dialect, reference) }
  if (!out['x-kubernetes-embedded-resource']) return out
  if (dialect === 2 && out['x-kubernetes-preserve-unknown-fields']) return out
  const required = new Set([...((out['required'] as string[] | undefined) ?? []), 'kind', 'apiVersion'])
  const properties = {
    ...(out['properties'] as Json | undefined),
    ...typeMetaProperties,
    metadata: metadataOf(dialect, reference),
  }
  return { ...out, properties, required: [...required] }
}

function withEmbeddedBelow(properties: Json, dialect: 2 | 3, reference: Reference): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, withEmbedded(property as Json, dialect, reference)]),
  )
}
