import type { ScalarName, StructType, Type } from '../../schema/index.ts'
import { generate } from '../typed/generate.ts'
import { sortedKeys } from '../typed/sortedmap.ts'
import { wrapperFields, zeroOf } from '../typed/source.ts'
import { wireType } from './decode.ts'
import type { ProtobufWriter } from './protobufwriter.ts'
import {
  writeDuration,
  writeEmbeddedObject,
  writeIntOrString,
  writeJson,
  writeMicroTime,
  writeQuantity,
  writeTime,
} from './scalars.ts'

/** Writes the message of a typed object, without tag and length; undefined is the zero struct. */
export type MessageEncoder = (value: unknown, writer: ProtobufWriter) => void

interface MessageEncoderBox {
  writeMessage: MessageEncoder
}

const helpers = {
  writeTime,
  writeMicroTime,
  writeDuration,
  writeQuantity,
  writeIntOrString,
  writeJson,
  writeEmbeddedObject,
  /** The keys in descending order: the writer goes backwards. */
  keys(map: Readonly<Record<string, unknown>>): string[] {
    return sortedKeys(map).reverse()
  },
}

/** Generates and compiles the encoder of a struct's message, from our own tables only. */
export function compileMessageEncoder(
  struct: StructType,
  boxOf: (struct: StructType) => MessageEncoderBox,
): MessageEncoder {
  const boxes: MessageEncoderBox[] = []
  const source = new Source((nested) => boxes.push(boxOf(nested)) - 1)
  const names = new Map(struct.fields.map((field, index) => [field.name, `f${index}`]))
  const read = struct.wrapper
    ? unwrap(struct, names)
    : `for (const k in v) switch (k) {
        ${struct.fields.map((field) => `case ${JSON.stringify(field.name)}: ${names.get(field.name)} = v[k]; break;`).join('\n        ')}
      }`
  const body = `
    return function writeMessage(v, w) {
      let ${['m', 'k0', ...names.values()].join(', ')};
      ${read}
      ${source.message(struct, names)}
    }`
  return generate<MessageEncoder>(body, helpers, boxes)
}

/** Converts a wrapper's JSON form to the fields of its message. */
function unwrap(struct: StructType, names: ReadonlyMap<string, string>): string {
  const { schema, other } = wrapperFields(struct)
  const [schemaName, otherName] = [names.get(schema.name), names.get(other.name)]
  if (struct.wrapper === 'schemaOrBool')
    return `if (typeof v === 'boolean') ${otherName} = v; else { ${otherName} = true; ${schemaName} = v; }`
  return `if (Array.isArray(v)) ${otherName} = v; else ${schemaName} = v;`
}

class Source {
  readonly #box: (struct: StructType) => number
  #names = 0

  constructor(box: (struct: StructType) => number) {
    this.#box = box
  }

  /** Statements for every member of the message, the last first. */
  message(struct: StructType, names: ReadonlyMap<string, string>): string {
    return struct.message
      .toReversed()
      .map((member) => {
        if (member.field) return this.#member(member.number, member.field, names.get(member.field.name) ?? '')
        const mark = this.#name('m')
        return `const ${mark} = w.mark();
          ${this.message(member.inlined, names)}
          w.length(${(member.number << 3) | 2}, ${mark});`
      })
      .join('\n      ')
  }

  #member(number: number, { type, pointer }: { type: Type; pointer: boolean }, value: string): string {
    const tag = (number << 3) | wireType(type)
    const present = `${value} !== undefined && ${value} !== null`
    if (type.is === 'list' && !type.wrapped) {
      const i = this.#name('i')
      return `if (${present}) for (let ${i} = ${value}.length - 1; ${i} >= 0; ${i}--) { ${this.#value(tag, type.element, `${value}[${i}]`)} }`
    }
    if (type.is === 'map') return `if (${present}) { ${this.#map(tag, type.element, value)} }`
    const nullable = pointer || type.is === 'list' || (type.is === 'scalar' && type.scalar === 'bytes')
    const written = this.#value(tag, type, value)
    if (nullable) return `if (${present}) { ${written} }`
    const zero = zeroOf(type)
    return zero === 'undefined' ? written : `{ if (!(${present})) ${value} = ${zero}; ${written} }`
  }

  #map(tag: number, element: Type, value: string): string {
    const [key, mark] = [this.#name('k'), this.#name('m')]
    return `for (const ${key} of H.keys(${value})) {
        const ${mark} = w.mark();
        ${this.#value((2 << 3) | wireType(element), element, `${value}[${key}]`)}
        w.string(10, ${key});
        w.length(${tag}, ${mark});
      }`
  }

  /** Statements that write one value with its tag. */
  #value(tag: number, type: Type, value: string): string {
    switch (type.is) {
      case 'scalar':
        return scalarStatement(tag, type.scalar, value)
      case 'any': {
        const write = type.form === 'RawExtension' ? 'writeEmbeddedObject' : 'writeJson'
        return `H.${write}(w, ${tag}, ${value});`
      }
      case 'struct': {
        const mark = this.#name('m')
        const write = `B[${this.#box(type)}].writeMessage(${value}, w)`
        return `const ${mark} = w.mark(); ${write}; w.length(${tag}, ${mark});`
      }
      case 'list': {
        const [mark, i] = [this.#name('m'), this.#name('i')]
        const inner = this.#value((1 << 3) | wireType(type.element), type.element, `${value}[${i}]`)
        return `const ${mark} = w.mark();
          for (let ${i} = ${value}.length - 1; ${i} >= 0; ${i}--) { ${inner} }
          w.length(${tag}, ${mark});`
      }
      case 'map':
        throw new Error('protobuf has no lists or maps of maps')
    }
  }

  #name(prefix: string): string {
    return `${prefix}_${this.#names++}`
  }
}

function scalarStatement(tag: number, scalar: ScalarName, value: string): string {
  if (scalar === 'string') return `w.string(${tag}, ${value});`
  if (scalar === 'bytes') return `w.base64(${tag}, ${value});`
  if (plain.has(scalar)) return `w.${scalar}(${value}); w.uint32(${tag});`
  return `H.write${scalar}(w, ${tag}, ${value});`
}

const plain = new Set<ScalarName>(['bool', 'int32', 'int64', 'double'])
