import type { Field, StructType, Type } from '../../schema/index.ts'
import type { TryoutNode, TryoutSchema } from './report.ts'

const anyType: Type = { is: 'any', form: 'JSON' }

/** The type of a kind's objects, by which configurations are merged. Fields are made on demand: schemas recur. */
export function structOf({ root, named }: TryoutSchema): StructType {
  return new SchemaStruct(resolved(root, named), named)
}

type Named = TryoutSchema['named']

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
  readonly #node: TryoutNode
  readonly #named: Named
  #byName: ReadonlyMap<string, Field> | undefined

  constructor(node: TryoutNode, named: Named) {
    this.semantics = node['x-kubernetes-map-type'] === 'atomic' ? 'atomic' : 'granular'
    this.preserveUnknown = node['x-kubernetes-preserve-unknown-fields'] === true
    this.#node = node
    this.#named = named
  }

  get fields(): readonly Field[] {
    return [...this.byName.values()]
  }
  get byName(): ReadonlyMap<string, Field> {
    this.#byName ??= new Map(
      Object.entries(this.#node.properties ?? {}).map(([name, node]) => [
        name,
        fieldOf(name, typeOf(node, this.#named), node.default),
      ]),
    )
    return this.#byName
  }
}

const prefix = '#/components/schemas/'
/** References that lead to each other. */
const referencesMax = 10

function resolved(node: TryoutNode, named: Named): TryoutNode {
  let found = node
  for (let count = 0; count < referencesMax; count++) {
    const { $ref, allOf, ...own } = found
    const target = $ref ?? (allOf?.length === 1 ? allOf[0]?.$ref : undefined)
    if (target === undefined) return found
    const name = target.slice(prefix.length)
    found = { ...(Object.hasOwn(named, name) ? named[name] : {}), ...own }
  }
  return {}
}

function typeOf(of: TryoutNode, named: Named): Type {
  const node = resolved(of, named)
  if (node['x-kubernetes-int-or-string']) return { is: 'scalar', scalar: 'IntOrString' }
  const { type, properties, additionalProperties, items } = node
  if (type === 'array') {
    const semantics = node['x-kubernetes-list-type']
    return {
      is: 'list',
      element: items ? typeOf(items, named) : anyType,
      semantics: semantics === 'map' || semantics === 'set' ? semantics : 'atomic',
      stated: true,
      keys: node['x-kubernetes-list-map-keys'] ?? [],
      wrapped: false,
    }
  }
  if (properties) return new SchemaStruct(node, named)
  if (typeof additionalProperties === 'object') {
    const semantics = node['x-kubernetes-map-type'] === 'atomic' ? 'atomic' : 'granular'
    return { is: 'map', element: typeOf(additionalProperties, named), semantics, stated: true }
  }
  if (type === 'string') return { is: 'scalar', scalar: 'string' }
  if (type === 'boolean') return { is: 'scalar', scalar: 'bool' }
  if (type === 'integer') return { is: 'scalar', scalar: 'int64' }
  if (type === 'number') return { is: 'scalar', scalar: 'double' }
  return anyType
}

function fieldOf(name: string, type: Type, fallback: unknown): Field {
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
