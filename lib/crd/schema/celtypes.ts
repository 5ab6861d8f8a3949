import { type CelType, escapeName, type ObjectField, ObjectType, textSize, textType, types } from '../../cel/index.ts'
import type { SchemaNode } from './node.ts'

/** Maximum size of a request, which bounds values without a bound in their schema. */
const requestBytesMax = 3 * 1024 * 1024
const textMax = requestBytesMax - 2
/** The type of map keys, which have no bound of their own; the stock server counts their size as 0. */
const keyType: CelType = { kind: 'string', sizeMax: 0 }

/**
 * The type of `self` in a node's rules; undefined: the values have no known type, and no rule can name them. Objects at
 * different places have different types: `name` is the place.
 */
export function celTypeOf(node: SchemaNode, isObject = node.embedded, name = 'selfType'): CelType | undefined {
  if (node.intOrString) return { kind: 'dyn', sizeMax: textSize(boundsOf(node)), jsonBytesMin: 1 }
  switch (node.type) {
    case 'array': {
      const element = node.items && celTypeOf(node.items, node.items.embedded, `${name}.@idx`)
      if (!element) return undefined
      const sizeMax = node.values.maxItems ?? Math.floor(textMax / (bytesMin(node.items) + 1))
      return types.list(element, sizeMax, associativeOf(node))
    }
    case 'object': {
      const { additional } = node
      if (additional === undefined || additional === true) return objectType(node, isObject, name)
      const value = celTypeOf(additional, additional.embedded, `${name}.@elem`)
      const sizeMax = node.values.maxProperties ?? Math.floor(textMax / (bytesMin(additional) + 6))
      return value && types.map(keyType, value, sizeMax)
    }
    case 'integer':
      return types.int
    case 'number':
      return types.double
    case 'boolean':
      return types.bool
    case 'string':
      return textType(boundsOf(node))
    case '':
      return undefined
  }
}

function associativeOf({ listType, listKeys }: SchemaNode): 'set' | readonly string[] | undefined {
  if (listType === 'atomic') return undefined
  return listType === 'set' ? 'set' : listKeys.map((key) => escapeName(key) ?? key)
}

function objectType(node: SchemaNode, isObject: boolean, typeName: string): ObjectType {
  const load = (): ReadonlyMap<string, ObjectField> => {
    const fields = new Map<string, ObjectField>()
    const add = (name: string, type: CelType | undefined): void => {
      const escaped = escapeName(name)
      if (escaped !== undefined && type) fields.set(escaped, { name, type })
    }
    for (const [name, property] of node.properties)
      add(name, celTypeOf(property, property.embedded, `${typeName}.${escapeName(name) ?? name}`))
    if (isObject) {
      add('apiVersion', types.string)
      add('kind', types.string)
      add('metadata', metadataType)
    }
    return fields
  }
  return new ObjectType(typeName, load, { jsonBytesMin: bytesMin(node) })
}

const metadataType = new ObjectType(
  'selfType.metadata',
  () => new Map(['name', 'generateName'].map((name) => [name, { name, type: types.string }])),
)

function boundsOf({ values: { format, maxLength, enum: allowed } }: SchemaNode): Parameters<typeof textType>[0] {
  return { format, maxLength, ...(allowed && { enum: allowed.map(String) }) }
}

const bytesDepthMax = 20

/** Minimum number of bytes of a value in JSON: an object has at least its required fields without a default. */
export function bytesMin(node: SchemaNode | undefined, depth = 0): number {
  if (!node || depth > bytesDepthMax) return 2
  if (node.intOrString) return 1
  switch (node.type) {
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return 4
    case 'string': {
      const { format } = node.values
      return format === 'date' ? 12 : format === 'date-time' ? 21 : format === 'duration' ? 3 : 2
    }
    case 'object': {
      if (node.additional !== undefined) return 2
      let bytes = 2
      for (const name of node.values.required) {
        const property = node.properties.get(name)
        if (property && property.default === undefined && celTypeOf(property))
          bytes += Buffer.byteLength(name) + bytesMin(property, depth + 1) + 4
      }
      return bytes
    }
    default:
      return 2
  }
}
