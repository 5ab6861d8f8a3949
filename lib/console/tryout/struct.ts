import { anyType, fieldOfType } from '../../crd/index.ts'
import type { Field, StructType, Type } from '../../schema/index.ts'
import { type KindSchema, resolve, type Schema } from './openapischema.ts'

/** The type of a kind's objects, by which configurations are merged. Fields are made on demand: schemas recur. */
export function structOf(kind: KindSchema): StructType {
  return new SchemaStruct(resolve(kind.root, kind), kind)
}

class SchemaStruct implements StructType {
  readonly is = 'struct'
  readonly name = 'tried'
  readonly semantics: 'granular' | 'atomic'
  readonly preserveUnknown: boolean
  readonly doc = ''
  readonly rules = []
  readonly unions = []
  readonly wrapper = undefined
  readonly message = []
  readonly #node: Schema
  readonly #kind: KindSchema
  #byName: ReadonlyMap<string, Field> | undefined

  constructor(node: Schema, kind: KindSchema) {
    this.semantics = node['x-kubernetes-map-type'] === 'atomic' ? 'atomic' : 'granular'
    this.preserveUnknown = node['x-kubernetes-preserve-unknown-fields'] === true
    this.#node = node
    this.#kind = kind
  }

  get fields(): readonly Field[] {
    return [...this.byName.values()]
  }
  get byName(): ReadonlyMap<string, Field> {
    this.#byName ??= new Map(
      Object.entries(this.#node.properties ?? {}).map(([name, node]) => [
        name,
        fieldOfType(name, typeOf(node, this.#kind), node.default),
      ]),
    )
    return this.#byName
  }
}

function typeOf(of: Schema, kind: KindSchema): Type {
  const node = resolve(of, kind)
  if (node['x-kubernetes-int-or-string']) return { is: 'scalar', scalar: 'IntOrString' }
  const { type, properties, additionalProperties, items } = node
  if (type === 'array') {
    const semantics = node['x-kubernetes-list-type']
    return {
      is: 'list',
      element: items ? typeOf(items, kind) : anyType,
      semantics: semantics === 'map' || semantics === 'set' ? semantics : 'atomic',
      stated: true,
      keys: node['x-kubernetes-list-map-keys'] ?? [],
      wrapped: false,
    }
  }
  if (properties) return new SchemaStruct(node, kind)
  if (typeof additionalProperties === 'object') {
    const semantics = node['x-kubernetes-map-type'] === 'atomic' ? 'atomic' : 'granular'
    return { is: 'map', element: typeOf(additionalProperties, kind), semantics, stated: true }
  }
  if (type === 'string') return { is: 'scalar', scalar: 'string' }
  if (type === 'boolean') return { is: 'scalar', scalar: 'bool' }
  if (type === 'integer') return { is: 'scalar', scalar: 'int64' }
  if (type === 'number') return { is: 'scalar', scalar: 'double' }
  return anyType
}
