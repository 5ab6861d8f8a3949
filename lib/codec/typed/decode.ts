import type { ScalarName, StructType, Type } from '../../schema/index.ts'
import { countKeys, type DecodeContext } from './context.ts'
import { generate } from './generate.ts'
import * as scalars from './scalars.ts'
import { assignment, zeroOf } from './source.ts'
import { TypeMismatch } from './typemismatch.ts'

/**
 * Converts a plain JSON value (of JSON.parse, YAML or CBOR) to the typed object of its struct: fields in canonical
 * order, canonical scalars, zero values as the API writes them. Reuses parts of the value in the object. null and
 * undefined give the zero struct. Throws TypeMismatch, or an Error of a scalar, when the value is not of the type.
 */
export type TypedDecoder = (value: unknown, context: DecodeContext) => Record<string, unknown>

/** Generated code calls other structs through this object, whose functions are replaced once they are compiled. */
interface DecoderBox {
  decode: TypedDecoder
}

const helpers = {
  TypeMismatch,
  countKeys,
  ...scalars,
  isEmpty(value: object): boolean {
    for (const _ in value) return false
    return true
  },
}

/**
 * Generates and compiles the decoder of a struct. The source contains our own tables only; every name in it is escaped
 * as JSON.
 */
export function compileDecoder(struct: StructType, boxOf: (struct: StructType) => DecoderBox): TypedDecoder {
  if (struct.wrapper) return wrapperDecoder(struct, boxOf)
  const boxes: DecoderBox[] = []
  const source = new Source((nested) => boxes.push(boxOf(nested)) - 1)
  const cases = struct.fields.map((field, index) => {
    const value = source.value(field.type, 'x', `f${index}`)
    return `case ${JSON.stringify(field.name)}: if (x !== null) { ${value} } break;`
  })
  const body = `
    return function decode(v, c) {
      if (v !== null && v !== undefined && (typeof v !== 'object' || Array.isArray(v))) throw new H.TypeMismatch();
      let ${['n = 0', ...struct.fields.map((_, index) => `f${index}`)].join(', ')};
      for (const k in v) {
        const x = v[k]; n++;
        switch (k) {
          ${cases.join('\n          ')}
          default: c.unknown = true; n += H.countKeys(x);
        }
      }
      c.keys += n;
      const r = {};
      ${struct.fields.map((field, index) => assignment(field, `f${index}`, source.zeroStruct)).join('\n      ')}
      return r;
    }`
  return generate<TypedDecoder>(body, helpers, boxes)
}

class Source {
  readonly #box: (struct: StructType) => number
  #names = 0

  constructor(box: (struct: StructType) => number) {
    this.#box = box
  }

  #struct(type: StructType, value: string): string {
    return `B[${this.#box(type)}].decode(${value}, c)`
  }

  zeroStruct = (type: StructType): string => `B[${this.#box(type)}].decode(undefined, c)`

  /** Statements that decode `input`, which is not null, into `output`. */
  value(type: Type, input: string, output: string): string {
    switch (type.is) {
      case 'scalar':
        return scalarStatement(type.scalar, input, output)
      case 'any':
        return `${output} = ${input}; n += H.countKeys(${input});`
      case 'struct':
        return `${output} = ${this.#struct(type, input)};`
      case 'list': {
        const [i, item] = [this.#name('i'), this.#name('e')]
        return `if (!Array.isArray(${input})) throw new H.TypeMismatch();
          for (let ${i} = 0; ${i} < ${input}.length; ${i}++) {
            const ${item} = ${input}[${i}];
            ${this.#element(type.element, item, `${input}[${i}]`)}
          }
          ${output} = ${input};`
      }
      case 'map': {
        const [key, item] = [this.#name('k'), this.#name('e')]
        return `if (typeof ${input} !== 'object' || Array.isArray(${input})) throw new H.TypeMismatch();
          for (const ${key} in ${input}) {
            n++;
            const ${item} = ${input}[${key}];
            ${this.#element(type.element, item, `${input}[${key}]`)}
          }
          ${output} = ${input};`
      }
    }
  }

  /** Decodes an item of a list or map in place; null is the zero value. */
  #element(type: Type, item: string, place: string): string {
    if (type.is === 'any') return `n += H.countKeys(${item});`
    if (type.is === 'struct') return `${place} = ${this.#struct(type, item)};`
    // A zero time has no JSON form but null, and an item can't be omitted.
    const zero = `if (${item} === null) ${place} = ${zeroOf(type) === 'undefined' ? 'null' : zeroOf(type)}; else`
    if (type.is === 'scalar' && type.scalar === 'string')
      return `if (typeof ${item} !== 'string') { ${zero} throw new H.TypeMismatch(); }`
    return `${zero} { ${this.value(type, item, place)} }`
  }

  #name(prefix: string): string {
    return `${prefix}${this.#names++}`
  }
}

function scalarStatement(scalar: ScalarName, input: string, output: string): string {
  const test = (condition: string): string => `if (${condition}) ${output} = ${input}; else throw new H.TypeMismatch();`
  switch (scalar) {
    case 'string':
      return test(`typeof ${input} === 'string'`)
    case 'bool':
      return test(`typeof ${input} === 'boolean'`)
    case 'int32':
      return test(`typeof ${input} === 'number' && (${input} | 0) === ${input}`)
    case 'IntOrString':
      return test(`typeof ${input} === 'string' || (typeof ${input} === 'number' && (${input} | 0) === ${input})`)
    case 'int64':
      return `${output} = H.decodeInt64(${input});`
    case 'double':
      return `${output} = H.decodeDouble(${input});`
    case 'bytes':
      return `${output} = H.decodeBytes(${input});`
    case 'Time':
      return `${output} = H.decodeTime(${input});`
    case 'MicroTime':
      return `${output} = H.decodeMicroTime(${input});`
    case 'Duration':
      return `${output} = H.decodeDuration(${input});`
    case 'Quantity':
      return `${output} = H.decodeQuantity(${input});`
  }
}

/** JSON Schema's either-or: a schema object, or a boolean, a list of schemas, a list of strings. */
function wrapperDecoder(struct: StructType, boxOf: (struct: StructType) => DecoderBox): TypedDecoder {
  const schema = struct.byName.get('schema')?.type
  if (schema?.is !== 'struct') throw new Error(`${struct.name} has no schema field`)
  const box = boxOf(schema)
  const { wrapper } = struct
  const decode = (value: unknown, context: DecodeContext): unknown => {
    if (wrapper === 'schemaOrBool' && typeof value === 'boolean') return value
    if (wrapper === 'schemaOrList' && Array.isArray(value)) return value.map((item) => box.decode(item, context))
    if (wrapper === 'schemaOrStrings' && Array.isArray(value)) {
      if (value.some((item) => typeof item !== 'string')) throw new TypeMismatch()
      return value
    }
    return box.decode(value, context)
  }
  // The JSON value of such a type is not always an object; no caller reads it as one.
  return decode as TypedDecoder
}
