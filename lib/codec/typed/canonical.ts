import type { Field, StructType, Type } from '../../schema/index.ts'
import { embeddedObject } from './embedded.ts'
import { generate } from './generate.ts'
import { type CanonicalContext, sortedMap } from './sortedmap.ts'
import { structured, zeroOf } from './source.ts'

/**
 * Makes the value tree whose JSON.stringify is the stock server's output: fields in order, empty ones omitted or
 * written as the tables say, null for Go's nil, map keys sorted. Accepts typed objects in any state: with fields out of
 * order, missing ones, empty lists. Does not change its input; shares parts that are in order.
 */
export type Canonical = (value: unknown, context: CanonicalContext) => unknown

interface CanonicalBox {
  canonical: Canonical
}

const helpers = {
  sortedMap,
  embeddedObject,
  bigint(value: bigint, context: CanonicalContext): bigint {
    context.ordered = true
    return value
  },
  isEmpty(value: object): boolean {
    for (const _ in value) return false
    return true
  },
}

/** Generates and compiles the function of a struct, from our own tables only. */
export function compileCanonical(struct: StructType, boxOf: (struct: StructType) => CanonicalBox): Canonical {
  if (struct.wrapper) return wrapperCanonical(struct, boxOf)
  const boxes: CanonicalBox[] = []
  const source = new Source((nested) => boxes.push(boxOf(nested)) - 1)
  const body = `
    return function canonical(v, c) {
      let ${['n', ...struct.fields.map((_, index) => `f${index}`)].join(', ')};
      for (const k in v) switch (k) {
        ${struct.fields.map((field, index) => `case ${JSON.stringify(field.name)}: f${index} = v[k]; break;`).join('\n        ')}
      }
      const r = {};
      ${struct.fields.map((field, index) => source.assignment(field, `f${index}`)).join('\n      ')}
      return r;
    }`
  return generate<Canonical>(body, helpers, boxes)
}

class Source {
  readonly #box: (struct: StructType) => number

  constructor(box: (struct: StructType) => number) {
    this.#box = box
  }

  assignment(field: Field, value: string): string {
    const target = `r[${JSON.stringify(field.name)}]`
    const present = `${value} !== undefined && ${value} !== null`
    const written = `${target} = ${this.#written(field.type, value)};`
    const zero = this.#zero(field)
    if (zero !== undefined) return `if (${present}) ${written} else ${target} = ${zero};`
    return `if (${present}${this.#notEmpty(field, value)}) ${written}`
  }

  /** The canonical value of an absent field; undefined: it stays absent. */
  #zero({ type, omit, pointer }: Field): string | undefined {
    if (omit === 'zero') return undefined
    const nullable =
      pointer || type.is === 'list' || type.is === 'map' || (type.is === 'scalar' && type.scalar === 'bytes')
    if (nullable) return omit === 'never' ? 'null' : undefined
    if (type.is === 'struct') return `B[${this.#box(type)}].canonical(undefined, c)`
    if (type.is === 'any') return 'null'
    if (type.is !== 'scalar') return undefined
    const zero = zeroOf(type)
    if (zero === 'undefined') return 'null'
    return omit === 'never' || structured.has(type.scalar) ? zero : undefined
  }

  #notEmpty({ type, omit, pointer }: Field, value: string): string {
    if (omit === 'never' || pointer) return ''
    switch (type.is) {
      case 'list':
        return ` && ${value}.length > 0`
      case 'map':
        return ` && !H.isEmpty(${value})`
      case 'struct':
        return omit === 'zero' ? ` && !H.isEmpty(${value})` : ''
      case 'any':
        return ''
      case 'scalar':
        if (type.scalar === 'string' || type.scalar === 'bytes') return ` && ${value} !== ''`
        if (type.scalar === 'bool') return ` && ${value} !== false`
        return type.scalar === 'int32' || type.scalar === 'int64' || type.scalar === 'double' ? ` && ${value} != 0` : ''
    }
  }

  #written(type: Type, value: string): string {
    switch (type.is) {
      case 'scalar':
        return type.scalar === 'int64' ? `typeof ${value} === 'bigint' ? H.bigint(${value}, c) : ${value}` : value
      case 'any':
        if (type.form !== 'RawExtension') return value
        return `H.embeddedObject(${value}, c)`
      case 'struct':
        return `B[${this.#box(type)}].canonical(${value}, c)`
      case 'list': {
        if (sharable(type.element)) return value
        const each = this.#each(type.element)
        return `${value}.map(${each})`
      }
      case 'map': {
        const each = sharable(type.element) ? 'undefined' : this.#each(type.element)
        return `H.sortedMap(${value}, ${each}, c)`
      }
    }
  }

  #each(element: Type): string {
    const written = this.#written(element, 'e')
    return `(e) => ${written}`
  }
}

/** Values that are canonical in any state. */
function sharable(type: Type): boolean {
  if (type.is === 'list') return sharable(type.element)
  if (type.is === 'any') return type.form !== 'RawExtension'
  return type.is === 'scalar' && type.scalar !== 'int64'
}

function wrapperCanonical(struct: StructType, boxOf: (struct: StructType) => CanonicalBox): Canonical {
  const schema = struct.byName.get('schema')?.type
  if (schema?.is !== 'struct') throw new Error(`${struct.name} has no schema field`)
  const box = boxOf(schema)
  return (value, context) => {
    if (typeof value === 'boolean') return value
    if (!Array.isArray(value)) return box.canonical(value, context)
    return struct.wrapper === 'schemaOrList' ? value.map((item) => box.canonical(item, context)) : value
  }
}
