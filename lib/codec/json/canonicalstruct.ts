import type { Field, ScalarName, StructType, Type } from '../../schema/index.ts'
import { zeroOf } from '../typed/source.ts'
import type { SortedText } from './sortedtext.ts'

const [quote, comma, openBrace, closeBrace] = [0x22, 0x2c, 0x7b, 0x7d]
const [openBracket, closeBracket, zero] = [0x5b, 0x5d, 0x30]

interface NamedField {
  /** The key as written in the text, with its quotes. */
  readonly key: Uint8Array
  readonly type: Type
  /** Decoding adds a value where the field is absent. */
  readonly required: boolean
}

/**
 * Recognizes texts of structs that decoding and encoding with sorted keys would not change: every field is known, has
 * its type, and is not empty. Also refuses rare canonical texts, such as an explicit `false`.
 */
export class CanonicalStructs {
  readonly #fields = new Map<StructType, readonly NamedField[]>()

  /** Reads from the opening brace to behind the closing one; -1: not known to be canonical. */
  struct(text: SortedText, from: number, type: StructType): number {
    const { bytes } = text
    if (bytes[from] !== openBrace || type.wrapper) return -1
    const fields = this.#fieldsOf(type)
    let index = 0
    let keyFrom = -1
    let keyTo = -1
    for (let at = from + 1; ; at++) {
      const behind = text.key(at, keyFrom, keyTo)
      if (behind < 0) return -1
      index = findField(text, at, behind, fields, index)
      const field = fields[index++]
      if (!field) return -1
      keyFrom = at
      keyTo = behind
      at = this.#value(text, behind + 1, field.type)
      if (at < 0) return -1
      if (bytes[at] === closeBrace) return fields.some(({ required }, i) => required && i >= index) ? -1 : at + 1
      if (bytes[at] !== comma) return -1
    }
  }

  #value(text: SortedText, at: number, type: Type): number {
    switch (type.is) {
      case 'any':
        // null means that the field has no value.
        return text.bytes[at] === 0x6e ? -1 : text.value(at, 0)
      case 'struct':
        return this.struct(text, at, type)
      case 'list':
        return this.#list(text, at, type.element)
      case 'map':
        return this.#map(text, at, type.element)
      case 'scalar':
        return scalar(text, at, type.scalar)
    }
  }

  #list(text: SortedText, from: number, element: Type): number {
    const { bytes } = text
    if (bytes[from] !== openBracket) return -1
    for (let at = from + 1; ; at++) {
      at = this.#item(text, at, element)
      if (at < 0) return -1
      if (bytes[at] === closeBracket) return at + 1
      if (bytes[at] !== comma) return -1
    }
  }

  #map(text: SortedText, from: number, element: Type): number {
    const { bytes } = text
    if (bytes[from] !== openBrace) return -1
    let keyFrom = -1
    let keyTo = -1
    for (let at = from + 1; ; at++) {
      const behind = text.key(at, keyFrom, keyTo)
      if (behind < 0) return -1
      keyFrom = at
      keyTo = behind
      at = this.#item(text, behind + 1, element)
      if (at < 0) return -1
      if (bytes[at] === closeBrace) return at + 1
      if (bytes[at] !== comma) return -1
    }
  }

  /** An item of a list or map may be an empty string. */
  #item(text: SortedText, at: number, type: Type): number {
    if (type.is !== 'scalar' || type.scalar !== 'string') return this.#value(text, at, type)
    return text.bytes[at] === quote ? text.string(at + 1) : -1
  }

  #fieldsOf(type: StructType): readonly NamedField[] {
    let fields = this.#fields.get(type)
    if (fields) return fields
    fields = type.fields
      .map((field) => ({ key: Buffer.from(JSON.stringify(field.name)), type: field.type, required: isFilledIn(field) }))
      .sort((a, b) => Buffer.compare(a.key, b.key))
    this.#fields.set(type, fields)
    return fields
  }
}

/** The index of the field with that key, searched from `index` on; the number of fields when there is none. */
function findField(text: SortedText, from: number, to: number, fields: readonly NamedField[], index: number): number {
  for (let i = index; i < fields.length; i++) {
    const field = fields[i]
    if (!field || text.isText(from, to, field.key)) return i
    if (field.required) break
  }
  return fields.length
}

function isFilledIn({ type, omit, pointer }: Field): boolean {
  if (pointer) return false
  if (type.is === 'struct') return omit !== 'zero'
  return type.is === 'scalar' && omit === 'never' && zeroOf(type) !== 'undefined'
}

function scalar(text: SortedText, at: number, name: ScalarName): number {
  const { bytes } = text
  switch (name) {
    case 'string':
      return bytes[at] === quote && bytes[at + 1] !== quote ? text.string(at + 1) : -1
    case 'bool':
      return text.literal(at, 'true')
    case 'int32':
      return bytes[at] === zero ? -1 : text.integer(at, int32DigitsMax)
    case 'int64':
      return bytes[at] === zero ? -1 : text.integer(at)
    case 'Time':
      return bytes[at] === quote ? time(text, at + 1) : -1
    default:
      return -1
  }
}

const int32DigitsMax = 9
const timePattern = Buffer.from('dddd-dd-ddTdd:dd:ddZ"')

/** `2026-01-31T23:59:59Z"`, a valid time in the years from 1000 to 9999. */
function time(text: SortedText, from: number): number {
  const { bytes } = text
  for (let i = 0; i < timePattern.length; i++) {
    const byte = bytes[from + i] ?? 0
    if (timePattern[i] === 0x64 ? byte < 0x30 || byte > 0x39 : byte !== timePattern[i]) return -1
  }
  const number = (at: number): number => ((bytes[from + at] ?? 0) - 0x30) * 10 + (bytes[from + at + 1] ?? 0) - 0x30
  const [year, month, day] = [number(0) * 100 + number(2), number(5), number(8)]
  if (year < 1000 || month < 1 || month > 12 || day < 1 || (day > 28 && day > daysOf(year, month))) return -1
  return number(11) > 23 || number(14) > 59 || number(17) > 59 ? -1 : from + timePattern.length
}

function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}
