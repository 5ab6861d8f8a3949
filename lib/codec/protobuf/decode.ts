import { setField } from '../../object/index.ts'
import type { Field, ScalarName, StructType, Type } from '../../schema/index.ts'
import { generate } from '../typed/generate.ts'
import { assignment, wrapperFields, zeroOf } from '../typed/source.ts'
import type { ProtobufReader } from './protobufreader.ts'
import { readDuration, readIntOrString, readJson, readMicroTime, readQuantity, readTime } from './scalars.ts'

/** Reads a message of a struct from the reader's position to its end; undefined is an empty message. */
export type MessageDecoder = (reader: ProtobufReader | undefined) => Record<string, unknown>

interface MessageDecoderBox {
  readMessage: MessageDecoder
  /** Reads a message after its length. */
  readNested(reader: ProtobufReader): Record<string, unknown>
  /** The same; undefined for a message with none of the struct's fields. */
  readNestedUnlessEmpty(reader: ProtobufReader): Record<string, unknown> | undefined
}

const helpers = {
  readTime,
  readMicroTime,
  readDuration,
  readQuantity,
  readIntOrString,
  readJson,
  setField,
  isEmpty(value: object): boolean {
    for (const _ in value) return false
    return true
  },
}

/** Generates and compiles the decoder of a struct's message, from our own tables only. */
export function compileMessageDecoder(
  struct: StructType,
  boxOf: (struct: StructType) => MessageDecoderBox,
): MessageDecoder {
  const boxes: MessageDecoderBox[] = []
  const box = (nested: StructType): number => boxes.push(boxOf(nested)) - 1
  const names = new Map(struct.fields.map((field, index) => [field.name, `f${index}`]))
  const source = new Source(box)
  const ending = struct.wrapper
    ? `return ${wrapperResult(struct, names)};`
    : `const r = {};
      ${struct.fields.map((field) => assignment(field, local(names, field), (type) => `B[${box(type)}].readMessage(undefined)`)).join('\n      ')}
      return r;`
  const body = `
    return function readMessage(r0) {
      let ${['m', ...names.values()].join(', ')};
      if (r0 !== undefined) while (r0.pos < r0.end) {
        const tag = r0.uint32();
        switch (tag) {
          ${source.cases(struct, names)}
          default: ${source.mistyped(struct)} r0.skip(tag);
        }
      }
      ${ending}
    }`
  return generate<MessageDecoder>(body, helpers, boxes)
}

function local(names: ReadonlyMap<string, string>, field: Field): string {
  const name = names.get(field.name)
  if (name === undefined) throw new Error(`no field ${field.name}`)
  return name
}

/** A wrapper's JSON form is that of its set field. */
function wrapperResult(struct: StructType, names: ReadonlyMap<string, string>): string {
  const { schema, other } = wrapperFields(struct)
  const [schemaName, otherName] = [local(names, schema), local(names, other)]
  if (struct.wrapper === 'schemaOrBool') return `${schemaName} !== undefined ? ${schemaName} : ${otherName} === true`
  return `${otherName} !== undefined ? ${otherName} : ${schemaName} !== undefined ? ${schemaName} : []`
}

class Source {
  readonly #box: (struct: StructType) => number

  constructor(box: (struct: StructType) => number) {
    this.#box = box
  }

  cases(struct: StructType, names: ReadonlyMap<string, string>): string {
    return struct.message
      .map((member) => {
        if (member.field) return this.#case(member.number, member.field.type, local(names, member.field))
        // Fields of the inlined message are read into the same variables.
        return `case ${(member.number << 3) | 2}: {
          const o = r0.enter();
          while (r0.pos < r0.end) {
            const tag = r0.uint32();
            switch (tag) {
              ${this.cases(member.inlined, names)}
              default: ${this.mistyped(member.inlined)} r0.skip(tag);
            }
          }
          r0.leave(o);
          break;
        }`
      })
      .join('\n          ')
  }

  /** A known number with another wire type is an error, as in Go. */
  mistyped(struct: StructType): string {
    if (struct.message.length === 0) return ''
    const numbers = struct.message.map(({ number }) => `n === ${number}`).join(' || ')
    return `{ const n = tag >>> 3; if (${numbers}) r0.wrongWireType(tag, ${JSON.stringify(struct.name)} + '.' + n); }`
  }

  #case(number: number, type: Type, target: string): string {
    const tag = (number << 3) | wireType(type)
    if (type.is === 'list' && !type.wrapped && type.element.is === 'struct' && type.element.isLeftOutEmpty)
      return `case ${tag}: {
        const e = B[${this.#box(type.element)}].readNestedUnlessEmpty(r0);
        if (e !== undefined) (${target} === undefined ? ${target} = [] : ${target}).push(e);
        break;
      }`
    if (type.is === 'list' && !type.wrapped)
      return `case ${tag}: (${target} === undefined ? ${target} = [] : ${target}).push(${this.#value(type.element)}); break;`
    if (type.is === 'map') return `case ${tag}: ${this.#mapEntry(type.element, target)} break;`
    return `case ${tag}: ${target} = ${this.#value(type)}; break;`
  }

  #mapEntry(element: Type, target: string): string {
    return `{
      const o = r0.enter();
      let key = '', value;
      while (r0.pos < r0.end) {
        const tag = r0.uint32();
        if (tag === 10) key = r0.string();
        else if (tag === ${(2 << 3) | wireType(element)}) value = ${this.#value(element)};
        else r0.skip(tag);
      }
      r0.leave(o);
      if (value === undefined) value = ${this.#absent(element)};
      m = ${target} === undefined ? ${target} = {} : ${target};
      if (key === '__proto__') H.setField(m, key, value); else m[key] = value;
    }`
  }

  #absent(type: Type): string {
    if (type.is === 'struct') return `B[${this.#box(type)}].readMessage(undefined)`
    if (type.is === 'list') return '[]'
    if (type.is !== 'scalar' || type.scalar === 'Time' || type.scalar === 'MicroTime') return 'null'
    return zeroOf(type)
  }

  /** An expression that reads one value. */
  #value(type: Type): string {
    switch (type.is) {
      case 'scalar':
        return readers[type.scalar]
      case 'any':
        return 'H.readJson(r0)'
      case 'struct':
        return `B[${this.#box(type)}].readNested(r0)`
      case 'list':
        return this.#wrappedList(type.element)
      case 'map':
        throw new Error('protobuf has no lists or maps of maps')
    }
  }

  #wrappedList(element: Type): string {
    return `(() => {
      const o = r0.enter();
      const v = [];
      while (r0.pos < r0.end) {
        const tag = r0.uint32();
        if (tag === ${(1 << 3) | wireType(element)}) v.push(${this.#value(element)}); else r0.skip(tag);
      }
      r0.leave(o);
      return v;
    })()`
  }
}

export function wireType(type: Type): 0 | 1 | 2 {
  if (type.is === 'list' && !type.wrapped) return wireType(type.element)
  return type.is === 'scalar' ? (wireTypes[type.scalar] ?? 2) : 2
}

const wireTypes: Partial<Readonly<Record<ScalarName, 0 | 1>>> = { bool: 0, int32: 0, int64: 0, double: 1 }

const readers: Readonly<Record<ScalarName, string>> = {
  string: 'r0.string()',
  bool: 'r0.bool()',
  int32: 'r0.int32()',
  int64: 'r0.int64()',
  double: 'r0.double()',
  bytes: 'r0.base64()',
  Time: 'H.readTime(r0)',
  MicroTime: 'H.readMicroTime(r0)',
  Duration: 'H.readDuration(r0)',
  Quantity: 'H.readQuantity(r0)',
  IntOrString: 'H.readIntOrString(r0)',
}
