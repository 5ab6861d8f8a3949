import { compileField } from './field.ts'
import type { FieldTable, GroupVersionTable, TypeTable, UnionTable } from './table.ts'
import type { Field, ListType, MessageField, StructType, Type } from './type.ts'

/** The types of some tables. A type is compiled at its first use. */
export interface SchemaSet {
  /**
   * By name, `core/v1.Pod`, `meta/v1.ObjectMeta`; throws for a name that is in no table, or whose JSON is no struct.
   */
  struct(name: string): StructType
  has(name: string): boolean
  /** Names of all structs. */
  readonly names: readonly string[]
}

/** The part of `core/v1.Pod` before the dot: the groups '' and meta.k8s.io have short names. */
export function tablePrefix({ group, version }: { group: string; version: string }): string {
  return `${group === '' ? 'core' : group === 'meta.k8s.io' ? 'meta' : group}/${version}`
}

/** Registers tables; compiles nothing yet. */
export function compileTables(tables: readonly GroupVersionTable[]): SchemaSet {
  const byPrefix = new Map<string, GroupVersionTable>()
  for (const table of tables) byPrefix.set(tablePrefix(table), table)
  return new CompiledTables(byPrefix)
}

class CompiledTables implements SchemaSet {
  readonly #byPrefix: ReadonlyMap<string, GroupVersionTable>
  readonly #types = new Map<string, StructType | ListType>()

  constructor(byPrefix: ReadonlyMap<string, GroupVersionTable>) {
    this.#byPrefix = byPrefix
  }

  get names(): readonly string[] {
    return [...this.#byPrefix].flatMap(([prefix, { types }]) =>
      Object.entries(types).flatMap(([name, table]) => (table.wrapper === 'list' ? [] : [`${prefix}.${name}`])),
    )
  }

  has(name: string): boolean {
    return this.#table(name) !== undefined
  }

  struct(name: string): StructType {
    const type = this.named(name)
    if (type.is !== 'struct') throw new Error(`${name} is no struct`)
    return type
  }

  named(name: string): StructType | ListType {
    const known = this.#types.get(name)
    if (known) return known
    const table = this.#table(name)
    if (!table) throw new Error(`no table has the type ${name}`)
    const prefix = name.slice(0, name.lastIndexOf('.'))
    const resolve = (reference: string): StructType | ListType =>
      this.named(reference.includes('/') ? reference : `${prefix}.${reference}`)
    const type = table.wrapper === 'list' ? bareList(table, resolve) : new TableStruct(name, table, resolve)
    this.#types.set(name, type)
    return type
  }

  #table(name: string): TypeTable | undefined {
    const dot = name.lastIndexOf('.')
    const types = this.#byPrefix.get(name.slice(0, dot))?.types
    const own = name.slice(dot + 1)
    return types && Object.hasOwn(types, own) ? types[own] : undefined
  }
}

type Resolve = (reference: string) => StructType | ListType

function bareList(table: TypeTable, resolve: Resolve): ListType {
  const items = Object.values(table.fields)[0]
  if (!items) throw new Error('a list wrapper has one field')
  const type = parseType(items.type, items, resolve).type
  if (type.is !== 'list') throw new Error('the field of a list wrapper is a list')
  return { ...type, wrapped: true }
}

/** A struct of a table; its fields are created at their first use, so that types may refer to each other in cycles. */
class TableStruct implements StructType {
  readonly is = 'struct'
  readonly name: string
  readonly preserveUnknown = false
  readonly #table: TypeTable
  readonly #resolve: Resolve
  #fields: readonly Field[] | undefined
  #byName: ReadonlyMap<string, Field> | undefined
  #message: readonly MessageField[] | undefined

  constructor(name: string, table: TypeTable, resolve: Resolve) {
    this.name = name
    this.#table = table
    this.#resolve = resolve
  }

  get semantics(): 'granular' | 'atomic' {
    return this.#table.map ?? 'granular'
  }
  get doc(): string {
    return this.#table.doc ?? ''
  }
  get rules(): readonly string[] {
    return this.#table.rules ?? []
  }
  get unions(): readonly UnionTable[] {
    return this.#table.unions ?? []
  }
  get wrapper(): StructType['wrapper'] {
    return this.#table.wrapper === 'list' ? undefined : this.#table.wrapper
  }

  get fields(): readonly Field[] {
    this.#fields ??= Object.entries(this.#table.fields).flatMap(([name, table]) => this.#expand(name, table))
    return this.#fields
  }
  get byName(): ReadonlyMap<string, Field> {
    this.#byName ??= new Map(this.fields.map((field) => [field.name, field]))
    return this.#byName
  }
  get message(): readonly MessageField[] {
    this.#message ??= this.#makeMessage()
    return this.#message
  }

  #expand(name: string, table: FieldTable): Field[] {
    if (!table.inline) return [compileField(name, table, parseType(table.type, table, this.#resolve))]
    const type = this.#inlined(table)
    return type.fields.map((field) => ({ ...field, inlinedFrom: { type, number: table.n ?? 0 } }))
  }

  #makeMessage(): MessageField[] {
    const message: MessageField[] = []
    for (const [name, table] of Object.entries(this.#table.fields)) {
      const number = table.n ?? 0
      if (number === 0) continue
      if (table.inline) message.push({ number, inlined: this.#inlined(table) })
      else {
        const field = this.byName.get(name)
        if (field) message.push({ number, field })
      }
    }
    return message.sort((a, b) => a.number - b.number)
  }

  #inlined(table: FieldTable): StructType {
    const type = this.#resolve(table.type)
    if (type.is !== 'struct') throw new Error(`${this.name}: only a struct can be inlined`)
    return type
  }
}

const scalars: ReadonlyMap<string, Type> = new Map<string, Type>([
  ...(['string', 'bool', 'int32', 'int64', 'double', 'bytes'] as const).map((scalar) => scalarEntry(scalar)),
  ...(['Time', 'MicroTime', 'Duration', 'Quantity', 'IntOrString'] as const).map((scalar) => scalarEntry(scalar)),
  ...(['RawExtension', 'FieldsV1', 'JSON'] as const).map((form) => [form, { is: 'any', form }] as const),
])

function scalarEntry<Name extends string>(scalar: Name): readonly [Name, { is: 'scalar'; scalar: Name }] {
  return [scalar, { is: 'scalar', scalar }]
}

/** Parses a type of a table: `*[]map[string]core/v1.Pod`. List and map markers belong to the outermost type. */
function parseType(text: string, table: FieldTable, resolve: Resolve): { type: Type; pointer: boolean } {
  if (text.startsWith('*')) return { type: parseType(text.slice(1), table, resolve).type, pointer: true }
  return { type: parseValueType(text, table, resolve), pointer: false }
}

function parseValueType(text: string, table: FieldTable | undefined, resolve: Resolve): Type {
  if (text.startsWith('[]'))
    return {
      is: 'list',
      element: parseValueType(text.slice(2), undefined, resolve),
      semantics: table?.list ?? 'atomic',
      stated: table?.list !== undefined,
      keys: table?.keys ?? [],
      wrapped: false,
    }
  if (text.startsWith('map[string]'))
    return {
      is: 'map',
      element: parseValueType(text.slice('map[string]'.length), undefined, resolve),
      semantics: table?.map ?? 'granular',
      stated: table?.map !== undefined,
    }
  return scalars.get(text) ?? resolve(text)
}
