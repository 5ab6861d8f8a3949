import { generate } from './generate.ts'
import { structured, zeroOf } from './source.ts'
import type { Field, StructType, Type } from '../../schema/index.ts'

/**
 * The value tree whose JSON.stringify is what the API server writes: fields in order, empties left out or written as
 * the tables say, null for what Go has no value for, map keys sorted. Takes typed objects in any state: with fields out
 * of order, missing ones, empty lists. Does not change its input; shares what is in order already.
 */
export type Canonical = (value: unknown, context: CanonicalContext) => unknown

interface CanonicalContext {
  /** The tree holds bigints, or Map objects (maps whose keys JavaScript would reorder): JSON.stringify can't write it. */
  ordered: boolean
}

interface CanonicalBox {
  canonical: Canonical
}

const helpers = {
  sortedMap,
  bigint(value: bigint, context: CanonicalContext): bigint {
    context.ordered = true
    return value
  },
  isEmpty(value: object): boolean {
    for (const _ in value) return false
    return true
  },
}

/** Writes the function for a struct as source and compiles it, from our own tables only. */
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
        return value
      case 'struct':
        return `B[${this.#box(type)}].canonical(${value}, c)`
      case 'list':
        return sharable(type.element) ? value : `${value}.map((e) => ${this.#written(type.element, 'e')})`
      case 'map': {
        const each = sharable(type.element) ? 'undefined' : `(e) => ${this.#written(type.element, 'e')}`
        return `H.sortedMap(${value}, ${each}, c)`
      }
    }
  }
}

/** Values that go out as they are. */
function sharable(type: Type): boolean {
  if (type.is === 'list') return sharable(type.element)
  return type.is === 'any' || (type.is === 'scalar' && type.scalar !== 'int64')
}

const index = /^(?:0|[1-9]\d{0,9})$/

/**
 * A map with its keys sorted by their UTF-8 bytes. JavaScript puts keys that look like array indices first, in numeric
 * order: maps with several keys of which one looks so become a Map.
 */
export function sortedMap(
  map: Readonly<Record<string, unknown>>,
  each: ((value: unknown) => unknown) | undefined,
  context: CanonicalContext,
): unknown {
  let sorted = true
  let indices = false
  let last = ''
  for (const key in map) {
    if (sorted && compareBytes(key, last) < 0) sorted = false
    last = key
    const first = key.charCodeAt(0)
    if (first >= 48 && first <= 57 && index.test(key)) indices = true
  }
  if (sorted && !indices && !each) return map
  const keys = sortedKeys(map)
  if (indices && keys.length > 1) {
    context.ordered = true
    return new Map(keys.map((key) => [key, each ? each(map[key]) : map[key]]))
  }
  const result: Record<string, unknown> = {}
  for (const key of keys) define(result, key, each ? each(map[key]) : map[key])
  return result
}

/** The keys in the order of their UTF-8 bytes. Without surrogates UTF-16 sorts as UTF-8 does, and the engine's own order costs a tenth of a comparison in JavaScript. */
export function sortedKeys(map: object): string[] {
  const keys = Object.keys(map)
  return keys.some((key) => surrogate.test(key)) ? keys.sort(compareBytes) : keys.sort()
}

const surrogate = /[\ud800-\udfff]/

function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true })
  else target[key] = value
}

/** As their UTF-8 bytes compare: UTF-16 differs for surrogates (above U+FFFF) against U+E000 to U+FFFF. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x === y) continue
    const [xHigh, yHigh] = [x >= 0xd800 && x <= 0xdfff, y >= 0xd800 && y <= 0xdfff]
    return xHigh === yHigh ? x - y : xHigh ? 1 : -1
  }
  return a.length - b.length
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
