import type * as v1 from '../../../../api/gen/apiextensions.k8s.io/v1.ts'
import { type CelType, escapeName, type ObjectField, ObjectType, types } from '../../../cel/index.ts'

type Schema = v1.JSONSchemaProps

const requestBytesMax = 3 * 1024 * 1024
const textMax = requestBytesMax - 2
const timeMax = 32
/** Fewest bytes of a list's item with its comma, and of a map's entry. */
const itemBytesMin = 2
const entryBytesMin = 6

/** What a rule at a schema sees as `self`. */
export function celTypeOf(schema: Schema, name: string, isResource = false): CelType {
  if (schema['x-kubernetes-int-or-string']) return types.dyn
  const embedded = isResource || schema['x-kubernetes-embedded-resource'] === true
  switch (schema.type) {
    case 'array': {
      const items = Array.isArray(schema.items) ? undefined : schema.items
      const element = items ? celTypeOf(items, `${name}.@items`) : types.dyn
      return types.list(element, schema.maxItems ?? Math.floor(textMax / itemBytesMin))
    }
    case 'object':
      if (typeof schema.additionalProperties === 'object') {
        const value = celTypeOf(schema.additionalProperties, `${name}.@values`)
        return types.map(
          { kind: 'string', sizeMax: 0 },
          value,
          schema.maxProperties ?? Math.floor(textMax / entryBytesMin),
        )
      }
      if (schema.properties || embedded) return objectType(schema, name, embedded)
      return schema['x-kubernetes-preserve-unknown-fields'] ? types.dyn : objectType(schema, name, false)
    case 'integer':
      return types.int
    case 'number':
      return types.double
    case 'boolean':
      return types.bool
    case 'string':
      return textType(schema)
    default:
      return types.dyn
  }
}

function objectType(schema: Schema, name: string, isResource: boolean): ObjectType {
  return new ObjectType(name, () => {
    const fields = new Map<string, ObjectField>()
    const add = (field: string, type: CelType): void => {
      const escaped = escapeName(field)
      if (escaped !== undefined) fields.set(escaped, { name: field, type })
    }
    if (isResource) {
      add('apiVersion', types.string)
      add('kind', types.string)
      add('metadata', metadataType(`${name}.metadata`))
    }
    for (const [field, property] of Object.entries(schema.properties ?? {})) {
      if (isResource && ['apiVersion', 'kind', 'metadata'].includes(field)) continue
      add(field, celTypeOf(property, `${name}.${field}`))
    }
    return fields
  })
}

function metadataType(name: string): ObjectType {
  const fields = new Map<string, ObjectField>(
    ['name', 'generateName'].map((field) => [field, { name: field, type: types.string }]),
  )
  return new ObjectType(name, () => fields)
}

/** Schemas count characters, requests bytes. */
function textType(schema: Schema): CelType {
  switch (schema.format) {
    case 'byte':
      return { kind: 'bytes', sizeMax: schema.maxLength ?? textMax, jsonBytesMin: 2 }
    case 'date':
    case 'date-time':
      return { kind: 'timestamp', sizeMax: timeMax, jsonBytesMin: 12 }
    case 'duration':
      return { kind: 'duration', sizeMax: timeMax, jsonBytesMin: 3 }
    default:
      return {
        kind: 'string',
        sizeMax: schema.maxLength === undefined ? textMax : schema.maxLength * 4,
        jsonBytesMin: 2,
      }
  }
}
