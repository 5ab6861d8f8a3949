import type { Field, StructType, Type } from '../../schema/index.ts'
import { generate } from '../typed/generate.ts'
import { wireType } from './decode.ts'
import { partBytesMin } from './recentparts.ts'
import {
  isBefore,
  isDouble,
  isDuration,
  isIntOrString,
  isQuantity,
  isText,
  isTime,
  longLength,
  skipInt32,
  skipInt64,
} from './wire.ts'

/**
 * True when decoding the message between `from` and `to` and encoding it again would give the same bytes: fields in
 * ascending order, none repeated, unknown or missing, lengths minimal, texts valid. While `on` is set, the digest gets
 * all fields.
 */
export type MessageCheck = (bytes: Uint8Array, from: number, to: number, digest: Digest, on: boolean) => boolean

/** Collects the contents of a message's fields of interest. */
export interface Digest {
  /**
   * By field number among all (see `fieldIds`): 1 where the content is of interest, 2 where the presence of a scalar
   * is.
   */
  readonly fields: Uint8Array
  /** Called when a struct begins; -1 when it ends. */
  add(fieldId: number): void
  /**
   * Whether the struct in this field is in canonical form; an implementation may cache answers. `on` as for
   * MessageCheck.
   */
  isCanonicalPart(
    codec: MessageCheckBox,
    fieldId: number,
    bytes: Uint8Array,
    from: number,
    to: number,
    on: boolean,
  ): boolean
  /** As in wire.ts; an implementation may cache answers. */
  isEmbedded(bytes: Uint8Array, from: number, to: number): boolean
  addBytes(fieldId: number, bytes: Uint8Array, from: number, to: number): void
}

interface MessageCheckBox {
  readonly checkMessage: MessageCheck
}

const helpers = {
  isBefore,
  isDouble,
  isDuration,
  isIntOrString,
  isQuantity,
  isText,
  isTime,
  longLength,
  skipInt32,
  skipInt64,
}

/** Generates and compiles the check of a struct's message, from our own tables only. */
export function compileMessageCheck(
  struct: StructType,
  boxOf: (struct: StructType) => MessageCheckBox,
  fieldIdOf: (field: Field) => number,
): MessageCheck {
  if (struct.wrapper) return () => false
  const boxes: MessageCheckBox[] = []
  const source = new Source((nested) => boxes.push(boxOf(nested)) - 1, fieldIdOf)
  const body = `
    return function checkMessage(s, p, e, d, on) {
      let n = 0, q = 0, k = 0, x = 0, y = 0;
      ${source.message(struct, 'e')}
      return p === e;
    }`
  return generate<MessageCheck>(body, helpers, boxes)
}

/**
 * The checks of one message: `p` is the position, `e` the end, `q` the beginning of the current field's content.
 * Positions behind the buffer become NaN; the comparisons are false for it.
 */
class Source {
  readonly #box: (struct: StructType) => number
  readonly #fieldIdOf: (field: Field) => number
  #names = 0

  constructor(box: (struct: StructType) => number, fieldIdOf: (field: Field) => number) {
    this.#box = box
    this.#fieldIdOf = fieldIdOf
  }

  message(struct: StructType, end: string): string {
    return struct.message
      .map((member) => {
        if (member.field) return this.#member(member.number, member.field, end)
        const inner = `e${this.#names++}`
        return `if (!(p < ${end} && ${tagAt(member.number, 2)})) return false;
          ${enter(member.number, end)}
          const ${inner} = p; p = q;
          ${this.message(member.inlined, inner)}
          if (p !== ${inner}) return false;`
      })
      .join('\n      ')
  }

  #member(number: number, field: Field, end: string): string {
    const { type, pointer, omit } = field
    const wire = wireType(type)
    const here = `p < ${end} && ${tagAt(number, wire)}`
    const id = this.#fieldIdOf(field)
    if (type.is === 'map') return this.#map(number, type.element, id, end)
    if (type.is === 'list')
      return type.wrapped
        ? `if (${here}) return false;`
        : `while (${here}) { ${this.#value(number, type.element, id, end, 'item')} }`
    const isBytes = type.is === 'scalar' && type.scalar === 'bytes'
    if (isBytes)
      return `if (${here}) { ${this.#value(number, type, id, end, pointer || omit === 'never' ? 'item' : 'pointer')} }`
    if (pointer) return `if (${here}) { ${this.#value(number, type, id, end, 'pointer')} }`
    return `if (!(${here})) return false; ${this.#value(number, type, id, end, 'field')}`
  }

  /** Skips one value with its tag. An item or a field may be a zero time or embedded value; a pointer may not. */
  #value(number: number, type: Type, id: number, end: string, as: 'item' | 'field' | 'pointer'): string {
    const test = this.#content(type, as, id)
    const hash = type.is === 'struct' ? '' : `if (on && d.fields[${id}] > 0) d.addBytes(${id}, s, q, p);`
    if (wireType(type) === 2) return `${enter(number, end)} ${test} ${hash}`
    return `q = p + ${tagBytes(number, 0).length}; ${test} if (!(p >= 0 && p <= ${end})) return false; ${hash}`
  }

  #content(type: Type, as: 'item' | 'field' | 'pointer', id: number): string {
    if (type.is === 'struct') {
      const watched = `(k = on && d.fields[${id}] === 1)`
      const codec = `B[${this.#box(type)}]`
      return `if (${watched}) d.add(${id});
        if (!(p - q < ${partBytesMin} ? ${codec}.checkMessage(s, q, p, d, k) : d.isCanonicalPart(${codec}, ${id}, s, q, p, k))) return false;
        if (on && d.fields[${id}] === 1) d.add(-1);`
    }
    const orEmpty = as === 'pointer' ? '' : 'q !== p && '
    if (type.is === 'any') return `if (${orEmpty}!d.isEmbedded(s, q, p)) return false;`
    if (type.is !== 'scalar') return 'return false;'
    switch (type.scalar) {
      case 'string':
        return 'if (!H.isText(s, q, p)) return false;'
      case 'bytes':
        return as === 'pointer' ? 'if (q === p) return false;' : ''
      case 'bool':
        return 'if (s[q] !== 0 && s[q] !== 1) return false; p = q + 1;'
      case 'int32':
        return `p = s[q] < 128 ? q + 1 : H.skipInt32(s, q, s.length);`
      case 'int64':
        return `p = s[q] < 128 ? q + 1 : H.skipInt64(s, q, s.length);`
      case 'double':
        return 'p = q + 8; if (p > s.length || !H.isDouble(s, q)) return false;'
      case 'Time':
        return `if (${orEmpty}!H.isTime(s, q, p, false)) return false;`
      case 'MicroTime':
        return `if (${orEmpty}!H.isTime(s, q, p, true)) return false;`
      case 'Duration':
        return 'if (!H.isDuration(s, q, p)) return false;'
      case 'Quantity':
        return 'if (!H.isQuantity(s, q, p)) return false;'
      case 'IntOrString':
        return 'if (!H.isIntOrString(s, q, p)) return false;'
    }
  }

  /** Entries with their keys in ascending order. */
  #map(number: number, element: Type, id: number, end: string): string {
    if (element.is === 'list' || element.is === 'map') return `if (p < ${end} && ${tagAt(number, 2)}) return false;`
    const [inner, from] = [`e${this.#names++}`, `e${this.#names++}`]
    return `x = y = -1;
      while (p < ${end} && ${tagAt(number, 2)}) {
        ${enter(number, end)}
        const ${inner} = p, ${from} = q; p = q;
        if (!(p < ${inner} && s[p] === 10)) return false;
        ${enter(1, inner)}
        if (!H.isText(s, q, p) || (x >= 0 && !H.isBefore(s, x, y, q, p))) return false;
        x = q; y = p;
        if (!(p < ${inner} && ${tagAt(2, wireType(element))})) return false;
        ${this.#mapValue(element, id, inner)}
        if (p !== ${inner}) return false;
        if (on && d.fields[${id}] === 1) d.addBytes(${id}, s, ${from}, p);
      }`
  }

  #mapValue(element: Type, id: number, inner: string): string {
    const test =
      element.is === 'struct'
        ? `if (!B[${this.#box(element)}].checkMessage(s, q, p, d, false)) return false;`
        : this.#content(element, 'item', id)
    if (wireType(element) === 2) return `${enter(2, inner)} ${test}`
    return `q = p + 1; ${test} if (!(p >= 0 && p <= ${inner})) return false;`
  }
}

/** Skips the tag and length of a field: its content is from `q` to `p`, within `end`. */
function enter(number: number, end: string): string {
  return `q = p + ${tagBytes(number, 2).length}; n = s[q++];
    if (n > 127) { n = H.longLength(s, q, n); if (n < 0) return false; q += n < 16384 ? 1 : n < 2097152 ? 2 : 3; }
    p = q + n; if (!(p <= ${end})) return false;`
}

/** The condition that the tag of a field is at `p`. */
export function tagAt(number: number, wire: number): string {
  return tagBytes(number, wire)
    .map((byte, index) => `s[p${index > 0 ? ` + ${index}` : ''}] === ${byte}`)
    .join(' && ')
}

export function tagBytes(number: number, wire: number): number[] {
  const bytes: number[] = []
  for (let rest = (number << 3) | wire; ; rest >>>= 7) {
    bytes.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest)
    if (rest <= 0x7f) return bytes
  }
}
