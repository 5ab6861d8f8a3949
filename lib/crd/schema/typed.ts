import type { Field, ScalarName, StructType, Type } from '../../schema/index.ts'
import type { SchemaNode } from './node.ts'

const anyType: Type = { is: 'any', form: 'JSON' }

/**
 * The type of a custom kind, as apply and field ownership walk it: fields are made when they are first looked at.
 * `metadata` is the type that all objects' metadata have.
 */
export function typeOfObject(root: SchemaNode, name: string, metadata: StructType): StructType {
  return new NodeStruct(root, name, metadata)
}

/** For the registry's walkers over compiled types: a kind whose own code knows its schema shows them no fields. */
export const opaqueStruct: StructType = Object.freeze({
  is: 'struct',
  name: 'custom',
  fields: [],
  byName: new Map(),
  semantics: 'granular',
  preserveUnknown: true,
  doc: '',
  rules: [],
  unions: [],
  wrapper: undefined,
  message: [],
})

class NodeStruct implements StructType {
  readonly is = 'struct'
  readonly name: string
  readonly semantics: 'granular' | 'atomic'
  readonly preserveUnknown: boolean
  readonly doc = ''
  readonly rules = []
  readonly unions = []
  readonly wrapper = undefined
  readonly message = []
  readonly #node: SchemaNode
  readonly #metadata: StructType | undefined
  #fields: readonly Field[] | undefined
  #byName: ReadonlyMap<string, Field> | undefined

  /** `metadata`: the type of an object's own metadata. */
  constructor(node: SchemaNode, name: string, metadata: StructType | undefined) {
    this.name = name
    this.semantics = node.mapType
    this.preserveUnknown = node.preserve
    this.#node = node
    this.#metadata = metadata
  }

  get fields(): readonly Field[] {
    this.#fields ??= this.#makeFields()
    return this.#fields
  }
  get byName(): ReadonlyMap<string, Field> {
    this.#byName ??= new Map(this.fields.map((field) => [field.name, field]))
    return this.#byName
  }

  #makeFields(): Field[] {
    const own = new Map<string, Type>()
    const defaults = new Map<string, unknown>()
    for (const [name, property] of this.#node.properties) {
      own.set(name, typeOf(property, `${this.name}.${name}`))
      defaults.set(name, property.default)
    }
    if (this.#metadata) {
      own.set('apiVersion', { is: 'scalar', scalar: 'string' })
      own.set('kind', { is: 'scalar', scalar: 'string' })
    }
    const fields = [...own].map(([name, type]) => fieldOfType(name, type, defaults.get(name)))
    if (!this.#metadata) return fields
    // Every object has them, so that they have no owner as such.
    const metadata = { ...fieldOfType('metadata', this.#metadata, undefined), pointer: false, emptyDiffers: false }
    return [...fields.filter(({ name }) => name !== 'metadata'), metadata]
  }
}

const scalars: Readonly<Record<string, ScalarName>> = {
  string: 'string',
  integer: 'int64',
  number: 'double',
  boolean: 'bool',
}

function typeOf(node: SchemaNode, name: string): Type {
  if (node.intOrString) return { is: 'scalar', scalar: 'IntOrString' }
  const scalar = scalars[node.type]
  if (scalar !== undefined) return { is: 'scalar', scalar }
  if (node.type === 'array')
    return {
      is: 'list',
      element: node.items ? typeOf(node.items, `${name}.@items`) : anyType,
      semantics: node.listType,
      stated: true,
      keys: node.listKeys,
      wrapped: false,
    }
  if (node.type !== 'object') return anyType
  const { additional } = node
  if (node.properties.size === 0 && typeof additional === 'object')
    return { is: 'map', element: typeOf(additional, `${name}.@values`), semantics: node.mapType, stated: true }
  if (node.properties.size === 0 && (node.preserve || additional === true) && node.mapType !== 'atomic') return anyType
  return new NodeStruct(node, name, undefined)
}

/** Absent and zero differ everywhere in a custom resource. */
function fieldOfType(name: string, type: Type, fallback: unknown): Field {
  return {
    name,
    number: 0,
    type,
    pointer: true,
    omit: 'empty',
    emptyDiffers: true,
    required: false,
    default: fallback,
    doc: '',
    patchStrategy: '',
    patchMergeKey: '',
    alias: '',
    enum: undefined,
    itemEnum: undefined,
    format: '',
    itemFormat: '',
    minimum: undefined,
    maximum: undefined,
    maxItems: undefined,
    maxLength: undefined,
    maxBytes: undefined,
    gates: [],
    rules: [],
    deprecated: false,
  }
}
