import type { Field, StructType, Type } from '../../schema/index.ts'
import { generate } from '../typed/generate.ts'
import { structured, zeroOf } from '../typed/source.ts'
import { tagBytes } from './check.ts'
import { wireType } from './decode.ts'
import {
  isZero,
  writeBytes,
  writeDouble,
  writeDuration,
  writeEmbedded,
  writeInteger,
  writeIntOrString,
  writeQuantity,
  writeText,
  writeTime,
} from './jsonvalues.ts'
import { partBytesMin } from './recentparts.ts'
import { longLength } from './wire.ts'

/**
 * Writes the JSON of the canonical message (see `checkMessage`) between `from` and `to` into `out` from `at` on, and
 * answers the position behind it. Beyond the end of `out` it only counts. The bytes equal those of decoding the message
 * and encoding the object.
 */
export type MessageTranscoder = (
  bytes: Buffer,
  from: number,
  to: number,
  out: Buffer,
  at: number,
  state: TranscoderState,
) => number

export interface TranscoderState {
  /** Set by every transcoder: the struct decodes to an object without fields. */
  empty: boolean
  /** Runs the codec's transcoder for the struct in this field; an implementation may cache results. */
  transcodePart(
    codec: MessageTranscoderBox,
    fieldId: number,
    bytes: Buffer,
    from: number,
    to: number,
    out: Buffer,
    at: number,
  ): number
  /** Runs writeText for a string in this field; an implementation may cache results. */
  transcodeText(fieldId: number, bytes: Buffer, from: number, to: number, out: Buffer, at: number): number
}

interface MessageTranscoderBox {
  readonly transcode: MessageTranscoder
}

const helpers = {
  isZero,
  longLength,
  writeBytes,
  writeDouble,
  writeDuration,
  writeEmbedded,
  writeInteger,
  writeIntOrString,
  writeQuantity,
  writeText,
  writeTime,
}

/** Shorter texts are written in the time of a lookup. */
const longTextBytes = 256

/** Generates and compiles the transcoder of a struct, from our own tables only. */
export function compileTranscoder(
  struct: StructType,
  boxOf: (struct: StructType) => MessageTranscoderBox,
  fieldIdOf: (field: Field) => number,
): MessageTranscoder {
  const boxes: MessageTranscoderBox[] = []
  const source = new Source((nested) => boxes.push(boxOf(nested)) - 1, fieldIdOf)
  const places = struct.fields.map((_, index) => `a${index} = -1, b${index} = -1`)
  const body = `
    return function transcode(s, p, e, o, at, t) {
      let ${['n = 0', 'q = 0', 'st = 0', 'real = false', ...places].join(', ')};
      const start = at;
      ${source.find(struct, struct, 'e')}
      ${struct.fields.map((field, index) => source.written(field, `a${index}`, `b${index}`)).join('\n      ')}
      t.empty = !real;
      if (at === start) o[at++] = 123; else o[start] = 123;
      o[at++] = 125;
      return at;
    }`
  return generate<MessageTranscoder>(body, helpers, boxes)
}

/**
 * First finds the content of every field (of lists and maps: all items with their tags), then writes the fields in the
 * order of JSON. Every field begins with a comma; the opening brace replaces the first one in the end.
 */
class Source {
  readonly #box: (struct: StructType) => number
  readonly #fieldIdOf: (field: Field) => number
  #names = 0

  constructor(box: (struct: StructType) => number, fieldIdOf: (field: Field) => number) {
    this.#box = box
    this.#fieldIdOf = fieldIdOf
  }

  find(outer: StructType, struct: StructType, end: string): string {
    return struct.message
      .map((member) => {
        if (!member.field) {
          const inner = `e${this.#names++}`
          return `${enter(member.number)} const ${inner} = p; p = q; ${this.find(outer, member.inlined, inner)} p = ${inner};`
        }
        const { field, number } = member
        const index = outer.fields.findIndex(({ name }) => name === field.name)
        const wire = wireType(field.type)
        const here = `p < ${end} && ${tagAt(number, wire)}`
        const place = `a${index} = q; b${index} = p;`
        if (field.type.is === 'list' || field.type.is === 'map')
          return `if (${here}) { a${index} = p; do { ${step(number, field.type)} } while (${here}); b${index} = p; }`
        return `if (${here}) { ${step(number, field.type)} ${place} }`
      })
      .join('\n      ')
  }

  /** Statements that write one field, whose content is between `a` and `b`; `a` is negative when it is absent. */
  written(field: Field, a: string, b: string): string {
    const { type, name, omit } = field
    const key = literal(`,${JSON.stringify(name)}:`)
    const zero = zeroText(field)
    const otherwise = zero === undefined ? '' : ` else { ${literal(`,${JSON.stringify(name)}:${zero}`)} }`
    if (type.is === 'struct' && !field.pointer && omit === 'zero')
      return `if (${a} >= 0) { n = at; ${key} ${this.#value(type, this.#fieldIdOf(field), a, b)} if (t.empty) at = n; else real = true; }`
    const written = `{ ${key} ${this.#field(type, this.#fieldIdOf(field), a, b)} real = true; }`
    return `if (${a} >= 0${notEmpty(field, a, b)}) ${written}${otherwise}`
  }

  #field(type: Type, id: number, a: string, b: string): string {
    if (type.is === 'list')
      return `st = at; for (p = ${a}; p < ${b};) { ${stepItem(type.element)} const z = p; o[at++] = 44; ${this.#value(type.element, id, 'q', 'p')} p = z; } o[st] = 91; o[at++] = 93;`
    if (type.is === 'map') return this.#map(type.element, id, a, b)
    return this.#value(type, id, a, b)
  }

  #map(element: Type, id: number, a: string, b: string): string {
    return `st = at;
      for (p = ${a}; p < ${b};) {
        ${skipTag} ${length}
        const z = p; p = q; ${enter(1)}
        o[at++] = 44; at = H.writeText(s, q, p, o, at); o[at++] = 58;
        ${step(2, element)} ${this.#value(element, id, 'q', 'p')}
        p = z;
      }
      o[st] = 123; o[at++] = 125;`
  }

  #value(type: Type, id: number, a: string, b: string): string {
    const call = (writer: string, ...more: string[]): string =>
      `at = H.${writer}(s, ${[a, b, 'o', 'at', ...more].join(', ')});`
    switch (type.is) {
      case 'struct': {
        const codec = `B[${this.#box(type)}]`
        return `at = ${b} - ${a} < ${partBytesMin} ? ${codec}.transcode(s, ${a}, ${b}, o, at, t) : t.transcodePart(${codec}, ${id}, s, ${a}, ${b}, o, at);`
      }
      case 'any':
        return call('writeEmbedded')
      case 'list':
      case 'map':
        // Lists as values of maps: the check never accepts a message with them.
        return ''
      case 'scalar':
        break
    }
    switch (type.scalar) {
      case 'string':
        return `at = ${b} - ${a} < ${longTextBytes} ? H.writeText(s, ${a}, ${b}, o, at) : t.transcodeText(${id}, s, ${a}, ${b}, o, at);`
      case 'bytes':
        return call('writeBytes')
      case 'bool':
        return `if (s[${a}] === 1) { ${literal('true')} } else { ${literal('false')} }`
      case 'int32':
      case 'int64':
        return `if (${b} - ${a} === 1 && s[${a}] < 10) o[at++] = 48 + s[${a}]; else ${call('writeInteger')}`
      case 'double':
        return call('writeDouble')
      case 'Time':
        return call('writeTime', 'false')
      case 'MicroTime':
        return call('writeTime', 'true')
      case 'Duration':
        return call('writeDuration')
      case 'Quantity':
        return call('writeQuantity')
      case 'IntOrString':
        return call('writeIntOrString')
    }
  }
}

/** The JSON for a field that is absent or zero; undefined: none. Follows typed/canonical.ts. */
function zeroText({ type, omit, pointer }: Field): string | undefined {
  if (omit === 'zero') return undefined
  const nullable =
    pointer || type.is === 'list' || type.is === 'map' || (type.is === 'scalar' && type.scalar === 'bytes')
  if (nullable) return omit === 'never' ? 'null' : undefined
  if (type.is === 'any') return 'null'
  if (type.is !== 'scalar') return undefined
  const zero = zeroOf(type)
  if (zero === 'undefined') return 'null'
  if (omit !== 'never' && !structured.has(type.scalar)) return undefined
  return zero.replaceAll("'", '"')
}

/** The further condition for writing a present value: zero values of most fields are omitted. */
function notEmpty({ type, omit, pointer }: Field, a: string, b: string): string {
  if (pointer) return ''
  if (type.is === 'any') return ` && ${a} < ${b}`
  if (type.is !== 'scalar') return ''
  if (type.scalar === 'Time' || type.scalar === 'MicroTime') return ` && ${a} < ${b}`
  if (omit === 'never') return ''
  switch (type.scalar) {
    case 'string':
    case 'bytes':
      return ` && ${a} < ${b}`
    case 'bool':
    case 'int32':
    case 'int64':
      return ` && s[${a}] !== 0`
    case 'double':
      return ` && (s[${a} + 7] !== 0 || s[${a} + 6] !== 0 || !H.isZero(s, ${a}))`
    default:
      return ''
  }
}

/** Writes ASCII text byte by byte: most texts are shorter than the cost of a call. */
function literal(text: string): string {
  const bytes = Array.from(
    Buffer.from(text, 'latin1'),
    (byte, index) => `o[at${index > 0 ? ` + ${index}` : ''}] = ${byte};`,
  )
  return `${bytes.join(' ')} at += ${text.length};`
}

const length = `n = s[q++]; if (n > 127) { n = H.longLength(s, q, n); q += n < 16384 ? 1 : n < 2097152 ? 2 : 3; } p = q + n;`

/** The condition that the tag of a field is at `p`. */
function tagAt(number: number, wire: number): string {
  return tagBytes(number, wire)
    .map((byte, index) => `s[p${index > 0 ? ` + ${index}` : ''}] === ${byte}`)
    .join(' && ')
}

/** Skips a tag of any size, to `q`. */
const skipTag = `q = p; while (s[q++] > 127);`

function enter(number: number): string {
  return `q = p + ${tagBytes(number, 2).length}; ${length}`
}

/** Skips tag and value: the content is from `q` to `p`. */
function step(number: number, type: Type): string {
  const wire = wireType(type)
  if (wire === 2) return enter(number)
  const start = `q = p + ${tagBytes(number, wire).length};`
  return wire === 1 ? `${start} p = q + 8;` : `${start} p = q; while (s[p++] > 127);`
}

function stepItem(type: Type): string {
  const wire = wireType(type)
  if (wire === 2) return `${skipTag} ${length}`
  return wire === 1 ? `${skipTag} p = q + 8;` : `${skipTag} p = q; while (s[p++] > 127);`
}
