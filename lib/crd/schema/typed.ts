import type { Field, ScalarName, StructType, Type } from '../../schema/index.ts'
import type { SchemaNode } from './node.ts'

/** The type of a value without a schema. */
export const anyType: Type = { is: 'any', form: 'JSON' }

/**
 * The type of a custom kind, for apply and field ownership: fields are made on demand.
 * `metadata` is the type of all objects' metadata.
 */
export function typeOfObject(root: SchemaNode, name: string, metadata: StructType): StructType {
  return new NodeStruct(root, name, { metadata, isRoot: true, keepsUnknown: false })
}

/** The struct of a kind whose own code has the schema: it shows the registry's walkers no fields. */
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

interface Place {
  /** The type of all objects' metadata. */
  readonly metadata: StructType
  /** The whole object, not a value within it. */
  readonly isRoot: boolean
  /** A node around this one keeps unknown fields. */
  readonly keepsUnknown: boolean
}

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
  readonly #place: Place
  #fields: readonly Field[] | undefined
  #byName: ReadonlyMap<string, Field> | undefined

  constructor(node: SchemaNode, name: string, place: Place) {
    this.name = name
    this.semantics = node.mapType
    this.preserveUnknown = node.preserve || place.keepsUnknown
    this.#node = node
    this.#place = place
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
    const { metadata, isRoot } = this.#place
    const inner = below(this.#node, this.#place)
    const own = new Map<string, Type>()
    const defaults = new Map<string, unknown>()
    for (const [name, property] of this.#node.properties) {
      own.set(name, typeOf(property, `${this.name}.${name}`, inner))
      defaults.set(name, property.default)
    }
    const isObject = isRoot || this.#node.embedded
    if (isObject) {
      own.set('apiVersion', { is: 'scalar', scalar: 'string' })
      own.set('kind', { is: 'scalar', scalar: 'string' })
      own.set('metadata', metadata)
    }
    const fields = [...own].map(([name, type]) => fieldOfType(name, type, defaults.get(name)))
    if (!isRoot) return fields
    // Every object has metadata: no manager owns the field itself.
    return fields.map((field) =>
      field.name === 'metadata' ? { ...field, pointer: false, emptyDiffers: false } : field,
    )
  }
}

const scalars: Readonly<Record<string, ScalarName>> = {
  string: 'string',
  integer: 'int64',
  number: 'double',
  boolean: 'bool',
}

function typeOf(node: SchemaNode, name: string, place: Place): Type {
  const scalar = scalars[node.type]
  if (scalar !== undefined) return { is: 'scalar', scalar }
  if (node.type === 'array')
    return {
      is: 'list',
      element: node.items ? typeOf(node.items, `${name}.@items`, below(node, place)) : anyType,
      semantics: node.listType,
      stated: true,
      keys: node.listKeys,
      wrapped: false,
    }
  // A node without a type accepts values of every type (an integer-or-string, too: only its validation refuses others).
  if (node.type !== 'object') return anyType
  if (node.properties.size > 0 || node.embedded) return new NodeStruct(node, name, place)
  const { additional } = node
  // An object without properties accepts any fields: those that the schema does not keep are pruned later.
  const element = typeof additional === 'object' ? typeOf(additional, `${name}.@values`, below(node, place)) : anyType
  return { is: 'map', element, semantics: node.mapType, stated: true }
}

function below(node: SchemaNode, { metadata, keepsUnknown }: Place): Place {
  return { metadata, isRoot: false, keepsUnknown: keepsUnknown || node.preserve }
}

/** A field of a custom resource, where absent and zero differ everywhere. */
export function fieldOfType(name: string, type: Type, fallback: unknown): Field {
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
