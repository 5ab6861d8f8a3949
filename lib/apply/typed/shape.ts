import type { Field, ListType, MapType, ScalarName, StructType, Type } from '../../schema/index.ts'
import { fieldElement } from '../fieldset/element.ts'
import type { FieldSet } from '../fieldset/fieldset.ts'

/**
 * Types as server-side apply sees them: values whose fields have their own owners (granular), values that are owned
 * whole (atomic), and the identity of list items. Compiled from a StructType on first use; recursive types refer back
 * to their shape.
 */
export type Shape = ScalarShape | AnyShape | ListShape | MapShape | StructShape

export interface ScalarShape {
  readonly is: 'scalar'
  /** `anything`: an embedded object, which is owned whole. */
  readonly accepts: 'string' | 'number' | 'boolean' | 'scalar' | 'anything'
}

/** Without a schema, the owned paths are deduced from the value. Maps are granular, all other values are leaves. */
export interface AnyShape {
  readonly is: 'any'
}

export interface ListShape {
  readonly is: 'list'
  readonly semantics: 'atomic' | 'set' | 'map'
  readonly element: Shape
  /** In the schema's order. */
  readonly keys: readonly KeyField[]
  /** Sorted by name. */
  readonly sortedKeys: readonly KeyField[]
  /** Name of the key of a list with a single one. */
  readonly onlyKey: string | undefined
  /** Elements of items by the value of the only key; see itemElement. */
  readonly remembered: Map<string, string>
}

interface KeyField {
  readonly name: string
  /** The key's value in an item without one; undefined: the key is required. */
  readonly fallback: unknown
}

export interface MapShape {
  readonly is: 'map'
  readonly atomic: boolean
  readonly element: Shape
}

export interface StructShape {
  readonly is: 'struct'
  readonly atomic: boolean
  readonly byName: ReadonlyMap<string, FieldShape>
  /** Fields with an implied value. */
  readonly implied: readonly FieldShape[]
  /** Shape of fields that the schema doesn't know; undefined: none is allowed. */
  readonly unknown: AnyShape | undefined
  /** Stored sets that are known to match this shape: they are read at every change of their object. */
  readonly matching: WeakSet<FieldSet>
}

export interface FieldShape {
  readonly name: string
  readonly element: string
  readonly shape: Shape
  /**
   * The value that the stock server has in memory when the field is absent: `{}` for a struct that is not a pointer,
   * null for a time.
   */
  readonly implied: unknown
  /** A value that equals an absent one: false, 0 or '' in a field that is left out when it has its zero value. */
  readonly zero: unknown
  /** Absent and zero differ, and null may differ, too. */
  readonly pointer: boolean
}

export type ShapeOf = (type: StructType) => StructShape

/** `semantics`: those of the field that holds the struct. */
type TypeShape = (type: Type, semantics?: 'granular' | 'atomic') => Shape

export const anyShape: AnyShape = Object.freeze({ is: 'any' })

/** Compiles shapes, each once. */
export function createShapes(): ShapeOf {
  const known = new WeakMap<StructType, StructShape>()
  /** Granular forms of structs whose types are atomic elsewhere. */
  const opened = new WeakMap<StructType, StructShape>()
  const structShape: ShapeOf = (type) => {
    let shape = known.get(type)
    if (!shape) known.set(type, (shape = new CompiledStruct(type, type.semantics, shapeOf)))
    return shape
  }
  const openedShape: ShapeOf = (type) => {
    let shape = opened.get(type)
    if (!shape) opened.set(type, (shape = new CompiledStruct(type, 'granular', shapeOf)))
    return shape
  }
  const shapeOf: TypeShape = (type, semantics) => {
    switch (type.is) {
      case 'scalar':
        return scalarShapes[accepts[type.scalar]]
      case 'any':
        return type.form === 'RawExtension' ? scalarShapes.anything : anyShape
      case 'list':
        return new CompiledList(type, shapeOf)
      case 'map':
        return new CompiledMap(type, shapeOf)
      case 'struct':
        if (type.wrapper) return anyShape
        return semantics === 'granular' && type.semantics === 'atomic' ? openedShape(type) : structShape(type)
    }
  }
  return structShape
}

const scalarShapes: Readonly<Record<ScalarShape['accepts'], ScalarShape>> = {
  string: { is: 'scalar', accepts: 'string' },
  number: { is: 'scalar', accepts: 'number' },
  boolean: { is: 'scalar', accepts: 'boolean' },
  scalar: { is: 'scalar', accepts: 'scalar' },
  anything: { is: 'scalar', accepts: 'anything' },
}

const accepts: Readonly<Record<ScalarName, ScalarShape['accepts']>> = {
  string: 'string',
  bytes: 'string',
  bool: 'boolean',
  int32: 'number',
  int64: 'number',
  double: 'number',
  Duration: 'string',
  Time: 'scalar',
  MicroTime: 'scalar',
  Quantity: 'scalar',
  IntOrString: 'scalar',
}

class CompiledStruct implements StructShape {
  readonly is = 'struct'
  readonly atomic: boolean
  readonly unknown: AnyShape | undefined
  readonly matching = new WeakSet<FieldSet>()
  readonly #type: StructType
  readonly #shapeOf: TypeShape
  #byName: ReadonlyMap<string, FieldShape> | undefined
  #implied: readonly FieldShape[] | undefined

  constructor(type: StructType, semantics: StructType['semantics'], shapeOf: TypeShape) {
    this.atomic = semantics === 'atomic'
    this.unknown = type.preserveUnknown ? anyShape : undefined
    this.#type = type
    this.#shapeOf = shapeOf
  }
  get byName(): ReadonlyMap<string, FieldShape> {
    this.#byName ??= new Map(this.#type.fields.map((field) => [field.name, compileField(field, this.#shapeOf)]))
    return this.#byName
  }
  get implied(): readonly FieldShape[] {
    this.#implied ??= [...this.byName.values()].filter(({ implied }) => implied !== undefined)
    return this.#implied
  }
}

class CompiledList implements ListShape {
  readonly is = 'list'
  readonly semantics: ListShape['semantics']
  readonly onlyKey: string | undefined
  readonly remembered = new Map<string, string>()
  readonly #type: ListType
  readonly #shapeOf: (type: Type) => Shape
  #element: Shape | undefined
  #keys: readonly KeyField[] | undefined
  #sortedKeys: readonly KeyField[] | undefined

  constructor(type: ListType, shapeOf: (type: Type) => Shape) {
    this.semantics = type.semantics
    this.onlyKey = type.keys.length === 1 ? type.keys[0] : undefined
    this.#type = type
    this.#shapeOf = shapeOf
  }
  get element(): Shape {
    this.#element ??= this.#shapeOf(this.#type.element)
    return this.#element
  }
  get keys(): readonly KeyField[] {
    const { element, keys } = this.#type
    const fields = element.is === 'struct' ? element.byName : undefined
    this.#keys ??= keys.map((name) => ({ name, fallback: fields?.get(name)?.default }))
    return this.#keys
  }
  get sortedKeys(): readonly KeyField[] {
    this.#sortedKeys ??= [...this.keys].sort((a, b) => (a.name < b.name ? -1 : 1))
    return this.#sortedKeys
  }
}

class CompiledMap implements MapShape {
  readonly is = 'map'
  readonly atomic: boolean
  readonly #type: MapType
  readonly #shapeOf: (type: Type) => Shape
  #element: Shape | undefined

  constructor(type: MapType, shapeOf: (type: Type) => Shape) {
    this.atomic = type.semantics === 'atomic'
    this.#type = type
    this.#shapeOf = shapeOf
  }
  get element(): Shape {
    this.#element ??= this.#shapeOf(this.#type.element)
    return this.#element
  }
}

function compileField(field: Field, shapeOf: TypeShape): FieldShape {
  const { name } = field
  return {
    name,
    element: fieldElement(name),
    shape: shapeOf(field.type, field.structSemantics),
    implied: impliedBy(field),
    pointer: field.pointer,
    zero: field.pointer || field.omit !== 'empty' ? undefined : zeroOf(field.type),
  }
}

const noObject: Readonly<Record<string, never>> = Object.freeze({})

function impliedBy({ type, pointer, omit }: Field): unknown {
  if (pointer || omit === 'zero') return undefined
  if (type.is === 'struct') return type.wrapper ? undefined : noObject
  if (type.is === 'any') return null
  // Times, quantities and the like are structs in the stock server, which are never left out.
  if (type.is === 'scalar' && omit === 'empty' && !structScalars.has(type.scalar)) return undefined
  if (type.is !== 'scalar') return omit === 'never' ? null : undefined
  return zeros[type.scalar]
}

const structScalars: ReadonlySet<ScalarName> = new Set(['Time', 'MicroTime', 'Duration', 'Quantity', 'IntOrString'])

function zeroOf(type: Type): unknown {
  return type.is === 'scalar' && !structScalars.has(type.scalar) ? zeros[type.scalar] : undefined
}

const zeros: Readonly<Record<ScalarName, unknown>> = {
  string: '',
  bytes: null,
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
  Time: null,
  MicroTime: null,
  Duration: '0s',
  Quantity: '0',
  IntOrString: 0,
}
