import { isRecord } from '../../base/index.ts'
import { escapeName } from '../syntax/escape.ts'
import { type CelType, type ObjectField, ObjectType, types } from './types.ts'

type Schema = Readonly<Record<string, unknown>>

/** Types of the kinds in one OpenAPI v3 document. */
export interface OpenApiTypes {
  /** Undefined: the document has no such kind. */
  kind(of: { readonly group: string; readonly version: string; readonly kind: string }): CelType | undefined
}

/** Schemas without a type, and references to missing schemas, are dyn. */
export function createOpenApiTypes(document: unknown): OpenApiTypes {
  const components = recordIn(recordIn(document, 'components'), 'schemas')
  const named = new Map<string, CelType>()

  function referred(reference: string): CelType {
    const name = reference.slice(reference.lastIndexOf('/') + 1)
    const known = named.get(name)
    if (known) return known
    if (!Object.hasOwn(components, name)) return types.dyn
    const type = typeOf(recordIn(components, name), name)
    named.set(name, type)
    return type
  }

  function typeOf(schema: Schema, name: string): CelType {
    const [only, ...others] = Array.isArray(schema['allOf']) ? (schema['allOf'] as Schema[]) : []
    if (typeof schema['$ref'] === 'string') return referred(schema['$ref'])
    if (isRecord(only) && others.length === 0 && schema['type'] === undefined) return typeOf(only, name)
    if (schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true)
      return types.dyn
    switch (schema['type']) {
      case 'object':
        return objectType(schema, name)
      case 'array':
        return types.list(typeOf(recordIn(schema, 'items'), `${name}.items`))
      case 'integer':
        return types.int
      case 'number':
        return types.double
      case 'boolean':
        return types.bool
      case 'string':
        return formats[String(schema['format'])] ?? types.string
      default:
        return types.dyn
    }
  }

  function objectType(schema: Schema, name: string): CelType {
    const { properties, additionalProperties } = schema
    if (isRecord(additionalProperties)) return types.map(types.string, typeOf(additionalProperties, `${name}.values`))
    if (!isRecord(properties)) return types.dyn
    // Created when it is read: types may contain themselves.
    const load = (): ReadonlyMap<string, ObjectField> => {
      const fields = new Map<string, ObjectField>()
      for (const [property, value] of Object.entries(properties)) {
        const escaped = escapeName(property)
        if (escaped === undefined || !isRecord(value)) continue
        fields.set(escaped, { name: property, type: typeOf(value, `${name}.${property}`) })
      }
      return fields
    }
    return new ObjectType(name, load)
  }

  return {
    kind({ group, version, kind }) {
      for (const [name, schema] of Object.entries(components)) {
        const kinds: unknown = isRecord(schema) ? schema['x-kubernetes-group-version-kind'] : undefined
        const isWanted = (one: unknown): boolean =>
          isRecord(one) && one['group'] === group && one['version'] === version && one['kind'] === kind
        if (Array.isArray(kinds) && kinds.some(isWanted)) return referred(name)
      }
      return undefined
    },
  }
}

const formats: Readonly<Record<string, CelType | undefined>> = {
  byte: types.bytes,
  date: types.timestamp,
  'date-time': types.timestamp,
  duration: types.duration,
}

function recordIn(value: unknown, field: string): Schema {
  const found: unknown = isRecord(value) && Object.hasOwn(value, field) ? value[field] : undefined
  return isRecord(found) ? found : {}
}
