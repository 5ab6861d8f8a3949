import type { Field, StructType, Type } from '../schema/index.ts'
import { scalarDefinitions } from './names.ts'

export type Json = Record<string, unknown>

/**
 * The two dialects: OpenAPI 2.0 (Swagger) and 3.0. They differ in the path of definitions and the form of references.
 */
export type Dialect = 2 | 3

/** Converts types to schemas and collects every definition that they refer to. */
export interface SchemaWriter {
  /** `{ "$ref": … }` of a struct, whose definition is added. */
  reference(struct: StructType): Json
  /** `{ "$ref": … }` of a definition by its name alone. */
  referenceTo(name: string): Json
  /** All definitions that were referred to, by name, in alphabetical order. */
  definitions(): Record<string, Json>
}

/** `nameOf` returns the definition name of a struct; `groupVersionKinds` the kinds with this struct. */
export function createSchemaWriter(
  dialect: Dialect,
  nameOf: (struct: StructType) => string,
  groupVersionKinds: (struct: StructType) => readonly Json[],
): SchemaWriter {
  const prefix = dialect === 2 ? '#/definitions/' : '#/components/schemas/'
  const structs = new Map<string, StructType>()
  const scalars = new Set<string>()

  function referenceTo(name: string): Json {
    return { $ref: prefix + name }
  }

  function reference(struct: StructType): Json {
    const name = nameOf(struct)
    structs.set(name, struct)
    return referenceTo(name)
  }

  function scalarReference(name: string): Json {
    scalars.add(name)
    return referenceTo(name)
  }

  function typeSchema(type: Type): Json {
    switch (type.is) {
      case 'scalar': {
        if (type.scalar in scalarDefinitions)
          return scalarReference(scalarDefinitions[type.scalar as keyof typeof scalarDefinitions])
        return plainScalars[type.scalar] ?? {}
      }
      case 'any':
        return scalarReference(scalarDefinitions[type.form])
      case 'list':
        return { type: 'array', items: dressed(typeSchema(type.element), {}) }
      case 'map':
        return { type: 'object', additionalProperties: dressed(typeSchema(type.element), {}) }
      case 'struct':
        return reference(type)
    }
  }

  /** In version 3 a reference can't have siblings: it is wrapped. */
  function dressed(schema: Json, extra: Json): Json {
    if (Object.keys(extra).length === 0) return schema
    if (dialect === 3 && '$ref' in schema) return { ...extra, allOf: [schema] }
    return { ...extra, ...schema }
  }

  function fieldSchema(field: Field): Json {
    const extra: Json = {}
    if (field.doc !== '') extra['description'] = field.doc
    if (field.default !== undefined) extra['default'] = field.default
    const schema = dressed(typeSchema(field.type), extra)
    if (field.enum) schema['enum'] = field.enum
    if (
      field.format !== '' &&
      field.type.is === 'scalar' &&
      !('format' in schema) &&
      /^(int32|int64|double|byte)$/.test(field.format)
    )
      schema['format'] = field.format
    return { ...schema, ...listMarkers(field), ...patchMarkers(field) }
  }

  function structSchema(struct: StructType): Json {
    const description = struct.doc === '' ? {} : { description: struct.doc }
    // The value has one of several types, so the schema has none.
    if (struct.wrapper) return description
    const properties: Record<string, Json> = {}
    const required: string[] = []
    for (const field of struct.fields) {
      properties[field.name] = fieldSchema(field)
      if (field.required) required.push(field.name)
    }
    const kinds = groupVersionKinds(struct)
    return {
      ...description,
      type: 'object',
      ...(required.length > 0 ? { required: required.sort() } : {}),
      ...(struct.fields.length > 0 ? { properties: sorted({ ...kindProperties(kinds), ...properties }) } : {}),
      ...(kinds.length > 0 ? { 'x-kubernetes-group-version-kind': kinds } : {}),
      ...(struct.semantics === 'atomic' ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    }
  }

  return {
    reference,
    referenceTo,
    definitions() {
      const definitions: Record<string, Json> = {}
      // The map grows during the loop: a definition's own references are added at the end.
      for (const [name, struct] of structs) definitions[name] = structSchema(struct)
      for (const name of scalars) definitions[name] = scalarDefinition(name, dialect)
      return sorted(definitions)
    },
  }
}

const plainScalars: Readonly<Record<string, Json>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
}

function scalarDefinition(name: string, dialect: Dialect): Json {
  switch (name) {
    case scalarDefinitions.Time:
    case scalarDefinitions.MicroTime:
      return { description: 'A moment in RFC 3339 form, in UTC.', type: 'string', format: 'date-time' }
    case scalarDefinitions.Duration:
      return { description: 'A length of time such as 1h30m or 250ms.', type: 'string' }
    case scalarDefinitions.Quantity: {
      const description = 'A fixed-point number with an optional suffix: 500m, 2, 1.5Gi, 3e6.'
      if (dialect === 2) return { description, type: 'string' }
      return { description, oneOf: [{ type: 'string' }, { type: 'number' }] }
    }
    case scalarDefinitions.IntOrString: {
      const description = 'An integer, or a string such as a name or a percentage.'
      if (dialect === 2) return { description, type: 'string', format: 'int-or-string' }
      return { description, format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] }
    }
    case scalarDefinitions.JSON:
      return { description: 'Any JSON value.' }
    case scalarDefinitions.FieldsV1:
      return { description: 'A set of fields, as a tree whose keys name them.', type: 'object' }
    default:
      return { description: 'An embedded object of any kind.', type: 'object' }
  }
}

/** Top-level objects have apiVersion and kind, which are not in their tables. */
function kindProperties(kinds: readonly Json[]): Record<string, Json> {
  return kinds.length === 0 ? {} : typeMetaProperties
}

/** Fields of every top-level object. */
export const typeMetaProperties: Readonly<Record<string, Json>> = {
  apiVersion: {
    type: 'string',
    description: 'APIVersion defines the group and version of the schema that the object is written in.',
  },
  kind: { type: 'string', description: 'Kind names the schema that the object is written in.' },
}

function listMarkers({ type, structSemantics }: Field): Json {
  if (structSemantics) return { 'x-kubernetes-map-type': structSemantics }
  if (type.is === 'map')
    return type.stated || type.semantics === 'atomic' ? { 'x-kubernetes-map-type': type.semantics } : {}
  if (type.is !== 'list') return {}
  return {
    ...(type.keys.length > 0 ? { 'x-kubernetes-list-map-keys': type.keys } : {}),
    'x-kubernetes-list-type': type.semantics,
  }
}

function patchMarkers(field: Field): Json {
  return {
    ...(field.patchMergeKey === '' ? {} : { 'x-kubernetes-patch-merge-key': field.patchMergeKey }),
    ...(field.patchStrategy === '' ? {} : { 'x-kubernetes-patch-strategy': field.patchStrategy }),
  }
}

export function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}
