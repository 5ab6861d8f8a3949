import type { Type } from '../../schema/index.ts'
import type { StructCodec } from '../structcodec.ts'

const major = { unsigned: 0, negative: 1, bytes: 2, array: 4, map: 5, tag: 6 } as const
const expectBase64Tag = 22
/** Tag 55799, the first bytes of every body: no text of another format begins with them. */
export const selfDescribed: Uint8Array = Uint8Array.of(0xd9, 0xd9, 0xf7)

/** A typed object, with the self-described tag. Strings and names become byte strings, as in the stock server. */
export function encodeCbor(object: object, codec: StructCodec): Uint8Array {
  return Buffer.concat([selfDescribed, encodeCborItem(object, codec)])
}

/** Encodes like encodeCbor, without the tag. */
export function encodeCborItem(object: object, codec: StructCodec): Uint8Array {
  const out = new CborWriter()
  out.value(codec.canonical(object, { ordered: false }), codec.struct)
  return out.finish()
}

interface UntypedOptions {
  /** Omits the self-described tag. */
  readonly item?: boolean
  /** Sorts keys in the order of RFC 8949, 4.2.1, so that equal objects have equal bytes. */
  readonly sorted?: boolean
}

/** A custom resource in CBOR; the caller has checked its type. */
export function encodeUntypedCbor(value: object, { item = false, sorted = false }: UntypedOptions = {}): Uint8Array {
  const out = new CborWriter({ sorted })
  if (!item) out.raw(selfDescribed)
  out.value(value, undefined)
  return out.finish()
}

const firstBytes = 512

export class CborWriter {
  #bytes = Buffer.allocUnsafe(firstBytes)
  #length = 0
  readonly #sorted: boolean

  constructor({ sorted = false } = {}) {
    this.#sorted = sorted
  }

  finish(): Uint8Array {
    return Buffer.from(this.#bytes.subarray(0, this.#length))
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  array(length: number): void {
    this.#head(major.array, length)
  }

  map(size: number): void {
    this.#head(major.map, size)
  }

  string(text: string): void {
    const bytes = Buffer.byteLength(text)
    this.#head(major.bytes, bytes)
    this.#reserve(bytes)
    this.#length += this.#bytes.write(text, this.#length, 'utf8')
  }

  /** A canonical JSON value; `type` says which strings are base64 of bytes. */
  value(value: unknown, type: Type | undefined): void {
    if (value === null || value === undefined) this.#byte(0xf6)
    else if (typeof value === 'string') this.#text(value, type)
    else if (typeof value === 'number') this.#number(value)
    else if (typeof value === 'bigint') this.#integer(value)
    else if (typeof value === 'boolean') this.#byte(value ? 0xf5 : 0xf4)
    else if (Array.isArray(value)) {
      this.array(value.length)
      for (const item of value) this.value(item, elementOf(type))
    } else this.#map(value, type)
  }

  #map(value: object, type: Type | undefined): void {
    const unsorted = entriesOf(value)
    const entries = this.#sorted ? unsorted.toSorted(compareKeys) : unsorted
    this.map(entries.length)
    for (const [key, item] of entries) {
      this.string(String(key))
      this.value(item, memberType(type, key))
    }
  }

  #text(text: string, type: Type | undefined): void {
    if (type?.is !== 'scalar' || type.scalar !== 'bytes') return this.string(text)
    const bytes = Buffer.from(text, 'base64')
    this.#head(major.tag, expectBase64Tag)
    this.#head(major.bytes, bytes.length)
    this.raw(bytes)
  }

  #number(value: number): void {
    if (Number.isSafeInteger(value)) return this.#integer(value)
    this.#byte(0xfb)
    this.#reserve(8)
    this.#length = this.#bytes.writeDoubleBE(value, this.#length)
  }

  #integer(value: number | bigint): void {
    if (value >= 0) this.#head(major.unsigned, value)
    else this.#head(major.negative, typeof value === 'bigint' ? -1n - value : -1 - value)
  }

  #head(type: number, argument: number | bigint): void {
    const first = type << 5
    if (argument < 24) return this.#byte(first | Number(argument))
    const size = argument < 0x100 ? 0 : argument < 0x10000 ? 1 : argument < 0x100000000 ? 2 : 3
    this.#byte(first | (24 + size))
    this.#reserve(8)
    this.#length =
      size === 3
        ? this.#bytes.writeBigUInt64BE(BigInt(argument), this.#length)
        : this.#bytes.writeUIntBE(Number(argument), this.#length, 2 ** size)
  }

  #byte(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = byte
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

type Member = readonly [unknown, unknown]

/** Compares the encoded bytes of keys: shorter keys first. */
function compareKeys([left]: Member, [right]: Member): number {
  const [a, b] = [String(left), String(right)]
  return Buffer.byteLength(a) - Buffer.byteLength(b) || (a < b ? -1 : 1)
}

/** Skips members that are undefined. */
function entriesOf(value: object): readonly Member[] {
  const entries: readonly Member[] = value instanceof Map ? [...value] : Object.entries(value)
  return entries.some(([, item]) => item === undefined) ? entries.filter(([, item]) => item !== undefined) : entries
}

/** The type of an item of a list, or of a field. */
function memberType(type: Type | undefined, key: unknown): Type | undefined {
  return type?.is === 'struct' && typeof key === 'string' ? fieldType(type, key) : elementOf(type)
}

function elementOf(type: Type | undefined): Type | undefined {
  if (type?.is === 'list' || type?.is === 'map') return type.element
  // The schema of a schema-or-something type: it describes the object form.
  return type?.is === 'struct' && type.wrapper ? type : undefined
}

function fieldType(type: Type & { is: 'struct' }, key: string): Type | undefined {
  if (!type.wrapper) return type.byName.get(key)?.type
  const schema = type.byName.get('schema')?.type
  return schema?.is === 'struct' ? schema.byName.get(key)?.type : undefined
}
