import { assert } from '../../base/index.ts'
import type { Field, ScalarName, StructType, Type } from '../../schema/index.ts'
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
  lengthRest,
  longLength,
  skipInt32,
  skipInt64,
} from './wire.ts'

// Checks messages by tables, with one loop for all structs. Generated code for each struct is no faster once it is compiled,
// and compiling it at the first list of pods takes as much CPU as checking 40,000 of them.

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
   * checkMessage.
   */
  isCanonicalPart(table: CheckTable, fieldId: number, bytes: Uint8Array, from: number, to: number, on: boolean): boolean
  /** As in wire.ts; an implementation may cache answers. */
  isEmbedded(bytes: Uint8Array, from: number, to: number): boolean
  addBytes(fieldId: number, bytes: Uint8Array, from: number, to: number): void
}

/** Contents of fields. Those up to `double` have no length. */
const contents = {
  bool: 0,
  int32: 1,
  int64: 2,
  double: 3,
  string: 4,
  bytes: 5,
  Time: 6,
  MicroTime: 7,
  Duration: 8,
  Quantity: 9,
  IntOrString: 10,
  any: 11,
  struct: 12,
  inlined: 13,
  map: 14,
} as const satisfies Record<ScalarName | 'any' | 'struct' | 'inlined' | 'map', number>

const contentMask = 0xf
/** The field is always written. */
const isRequired = 0x10
const isRepeated = 0x20
/** An embedded value, a time or bytes may be of no bytes. */
const mayBeEmpty = 0x40

/** The numbers of a row. */
const column = {
  flags: 0,
  /** The field's number among all; -1: none. */
  id: 1,
  /** Content and flags of a map's values. */
  values: 2,
  /** The last row before this one whose field is always written; in the first row: the last of all of them. */
  requiredBefore: 3,
} as const
const rowSize = 4
/** Tags of one or two bytes: numbers up to 2047. */
const tagMax = 0x3fff

/**
 * The fields of a struct's message for `checkMessage`, a row each, in ascending order of their numbers; the first row stands for
 * tags that no field has. The rows are made when they are first read.
 */
export class CheckTable {
  readonly #struct: StructType
  readonly #tableOf: (struct: StructType) => CheckTable
  readonly #fieldIdOf: (field: Field) => number
  #rows: Int32Array | undefined
  #rowByTag = new Uint16Array(0)
  /** By row: of the struct in the field. */
  #tables: readonly (CheckTable | undefined)[] = []

  constructor(struct: StructType, tableOf: (struct: StructType) => CheckTable, fieldIdOf: (field: Field) => number) {
    this.#struct = struct
    this.#tableOf = tableOf
    this.#fieldIdOf = fieldIdOf
  }

  get rows(): Int32Array {
    return this.#rows ?? this.#make()
  }

  /** 0: no field has this tag. */
  rowOf(tag: number): number {
    return tag < this.#rowByTag.length ? (this.#rowByTag[tag] ?? 0) : 0
  }

  table(row: number): CheckTable {
    return this.#tables[row] ?? this
  }

  #make(): Int32Array {
    const rows = [0, -1, 0, 0]
    const tables: (CheckTable | undefined)[] = [undefined]
    const tags = [0]
    let required = 0
    const add = (tag: number, flags: number, id = -1, values = 0, table?: CheckTable): void => {
      assert(tag <= tagMax, `the check knows tags of two bytes, and ${this.#struct.name} has a longer one`)
      rows.push(flags, id, values, required)
      if ((flags & isRequired) !== 0) required = tags.length
      tags.push(tag)
      tables.push(table)
    }
    for (const member of this.#struct.message) {
      if (!member.field) {
        // Its fields are also those of the outer struct, by whose numbers a digest knows them.
        const table = new CheckTable(member.inlined, this.#tableOf, this.#fieldIdOf)
        add((member.number << 3) | 2, contents.inlined | isRequired, -1, 0, table)
        continue
      }
      const row = rowOf(member.field)
      // A message with a field that has no row is not canonical.
      if (!row) continue
      const tag = (member.number << 3) | wireType(member.field.type)
      const table = row.struct && this.#tableOf(row.struct)
      add(tag, row.flags, this.#fieldIdOf(member.field), row.values, table)
    }
    // The JSON form of a wrapper is another than its fields: no message of it is canonical.
    rows[column.requiredBefore] = this.#struct.wrapper ? tags.length : required
    this.#rowByTag = new Uint16Array(Math.max(...tags) + 1)
    for (const [row, tag] of tags.entries()) if (row > 0) this.#rowByTag[tag] = row
    this.#tables = tables
    this.#rows = Int32Array.from(rows)
    return this.#rows
  }
}

interface Row {
  readonly flags: number
  readonly values: number
  readonly struct: StructType | undefined
}

function rowOf({ type, pointer, omit }: Field): Row | undefined {
  if (type.is === 'map') {
    const values = contentOf(type.element)
    return values && { flags: contents.map | isRepeated, values: values.flags | mayBeEmpty, struct: values.struct }
  }
  if (type.is === 'list') {
    const items = type.wrapped ? undefined : contentOf(type.element)
    return items && { flags: items.flags | isRepeated | mayBeEmpty, values: 0, struct: items.struct }
  }
  const content = contentOf(type)
  if (!content) return undefined
  const isBytes = content.flags === contents.bytes
  const flags = isBytes ? (pointer || omit === 'never' ? mayBeEmpty : 0) : pointer ? 0 : isRequired | mayBeEmpty
  return { flags: content.flags | flags, values: 0, struct: content.struct }
}

/** Undefined for lists and maps within lists and maps. */
function contentOf(type: Type): { readonly flags: number; readonly struct: StructType | undefined } | undefined {
  if (type.is === 'list' || type.is === 'map') return undefined
  if (type.is === 'struct') return { flags: contents.struct, struct: type }
  return { flags: contents[type.is === 'any' ? 'any' : type.scalar], struct: undefined }
}

export function tagBytes(number: number, wire: number): number[] {
  const bytes: number[] = []
  for (let rest = (number << 3) | wire; ; rest >>>= 7) {
    bytes.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest)
    if (rest <= 0x7f) return bytes
  }
}

/**
 * True when decoding the message between `from` and `to` and encoding it again would give the same bytes: fields in
 * ascending order, none repeated, unknown or missing, lengths minimal, texts valid. While `on` is set, the digest gets
 * all fields.
 */
export function checkMessage(
  table: CheckTable,
  bytes: Uint8Array,
  from: number,
  to: number,
  digest: Digest,
  on: boolean,
): boolean {
  const { rows } = table
  let at = from
  let last = 0
  while (at < to) {
    const tag = tagAt(bytes, at, to)
    const row = table.rowOf(tag)
    const flags = rows[row * rowSize + column.flags] ?? 0
    if (row === last) {
      if ((flags & isRepeated) === 0) return false
    } else if (row < last || (rows[row * rowSize + column.requiredBefore] ?? 0) > last) return false
    last = row
    const content = flags & contentMask
    const start = at + (tag < 0x80 ? 1 : 2)
    if (content === contents.map) {
      at = checkMap(table, row, bytes, at, to, digest, on)
      if (at < 0) return false
      continue
    }
    const id = rows[row * rowSize + column.id] ?? 0
    if (content <= contents.double) {
      at = skipNumber(content, bytes, start, to)
      if (at < 0) return false
      if (on && (digest.fields[id] ?? 0) > 0) digest.addBytes(id, bytes, start, at)
      continue
    }
    const length = lengthAt(bytes, start, to)
    if (length < 0) return false
    const begin = start + 1 + (length < 0x80 ? 0 : lengthRest(length))
    at = begin + length
    if (at > to) return false
    if (content === contents.string) {
      if (!isText(bytes, begin, at)) return false
    } else if (content === contents.struct) {
      if (!isStruct(table.table(row), id, bytes, begin, at, digest, on)) return false
      continue
    } else if (content === contents.inlined) {
      if (!checkMessage(table.table(row), bytes, begin, at, digest, on)) return false
      continue
    } else if (!isContent(flags, bytes, begin, at, digest)) return false
    if (on && (digest.fields[id] ?? 0) > 0) digest.addBytes(id, bytes, begin, at)
  }
  return at === to && (rows[column.requiredBefore] ?? 0) <= last
}

/** The tag at a position; `tagMax + 1` for longer ones, and for those that are not minimal. */
function tagAt(bytes: Uint8Array, at: number, to: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return first
  const second = at + 1 < to ? (bytes[at + 1] ?? 0) : 0
  return second > 0 && second < 0x80 ? (first & 0x7f) | (second << 7) : tagMax + 1
}

/** The length at a position; -1: there is none, or it is not minimal. */
function lengthAt(bytes: Uint8Array, at: number, to: number): number {
  if (at >= to) return -1
  const first = bytes[at] ?? 0
  return first < 0x80 ? first : longLength(bytes, at + 1, first)
}

/** The position behind a value that has no length; -1: it is not in canonical form. */
function skipNumber(content: number, bytes: Uint8Array, at: number, to: number): number {
  if (at >= to) return -1
  if (content === contents.double) return at + 8 <= to && isDouble(bytes, at) ? at + 8 : -1
  const first = bytes[at] ?? 0
  if (content === contents.bool) return first <= 1 ? at + 1 : -1
  if (first < 0x80) return at + 1
  return content === contents.int32 ? skipInt32(bytes, at, to) : skipInt64(bytes, at, to)
}

function isStruct(
  table: CheckTable,
  id: number,
  bytes: Uint8Array,
  from: number,
  to: number,
  digest: Digest,
  on: boolean,
): boolean {
  const isWatched = on && digest.fields[id] === 1
  if (isWatched) digest.add(id)
  const isCanonical =
    to - from < partBytesMin
      ? checkMessage(table, bytes, from, to, digest, isWatched)
      : digest.isCanonicalPart(table, id, bytes, from, to, isWatched)
  if (isWatched) digest.add(-1)
  return isCanonical
}

/** Contents with a length, but for messages and strings. */
function isContent(flags: number, bytes: Uint8Array, from: number, to: number, digest: Digest): boolean {
  const isEmpty = from === to
  switch (flags & contentMask) {
    case contents.string:
      return isText(bytes, from, to)
    case contents.bytes:
      return !isEmpty || (flags & mayBeEmpty) !== 0
    case contents.any:
      return isEmpty ? (flags & mayBeEmpty) !== 0 : digest.isEmbedded(bytes, from, to)
    case contents.Time:
      return isEmpty ? (flags & mayBeEmpty) !== 0 : isTime(bytes, from, to, false)
    case contents.MicroTime:
      return isEmpty ? (flags & mayBeEmpty) !== 0 : isTime(bytes, from, to, true)
    case contents.Duration:
      return isDuration(bytes, from, to)
    case contents.Quantity:
      return isQuantity(bytes, from, to)
    case contents.IntOrString:
      return isIntOrString(bytes, from, to)
    default:
      return false
  }
}

const keyTag = 0x0a

/** The position behind a map's entries, which are sorted by their keys; -1: they are not in canonical form. */
function checkMap(
  table: CheckTable,
  row: number,
  bytes: Uint8Array,
  from: number,
  to: number,
  digest: Digest,
  on: boolean,
): number {
  const { rows } = table
  const id = rows[row * rowSize + column.id] ?? 0
  const values = rows[row * rowSize + column.values] ?? 0
  const content = values & contentMask
  const tag = tagAt(bytes, from, to)
  const tagLength = tag < 0x80 ? 1 : 2
  const valueTag = content < contents.double ? 0x10 : content === contents.double ? 0x11 : 0x12
  let keyFrom = -1
  let keyTo = -1
  let at = from
  do {
    const length = lengthAt(bytes, at + tagLength, to)
    if (length < 0) return -1
    const begin = at + tagLength + 1 + (length < 0x80 ? 0 : lengthRest(length))
    at = begin + length
    if (at > to || begin === at || bytes[begin] !== keyTag) return -1
    const keyLength = lengthAt(bytes, begin + 1, at)
    if (keyLength < 0) return -1
    const key = begin + 2 + (keyLength < 0x80 ? 0 : lengthRest(keyLength))
    const behindKey = key + keyLength
    if (behindKey >= at || !isText(bytes, key, behindKey)) return -1
    if (keyFrom >= 0 && !isBefore(bytes, keyFrom, keyTo, key, behindKey)) return -1
    keyFrom = key
    keyTo = behindKey
    if (bytes[behindKey] !== valueTag) return -1
    if (content <= contents.double) {
      if (skipNumber(content, bytes, behindKey + 1, at) !== at) return -1
    } else {
      const valueLength = lengthAt(bytes, behindKey + 1, at)
      if (valueLength < 0) return -1
      const value = behindKey + 2 + (valueLength < 0x80 ? 0 : lengthRest(valueLength))
      if (value + valueLength !== at) return -1
      const isCanonical =
        content === contents.struct
          ? checkMessage(table.table(row), bytes, value, at, digest, false)
          : isContent(values, bytes, value, at, digest)
      if (!isCanonical) return -1
    }
    if (on && digest.fields[id] === 1) digest.addBytes(id, bytes, begin, at)
  } while (at < to && tagAt(bytes, at, to) === tag)
  return at
}
