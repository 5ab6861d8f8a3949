import type { Type } from '../../schema/index.ts'
import type { StructCodec } from '../structcodec.ts'

const major = { unsigned: 0, negative: 1, bytes: 2, array: 4, map: 5, tag: 6 } as const
const expectBase64Tag = 22
/** Tag 55799, which stands before every body: these bytes start no text of another format. */
export const selfDescribed: Uint8Array = Uint8Array.of(0xd9, 0xd9, 0xf7)

/** A typed object, with the self-described tag. Strings and names are byte strings, as the stock server writes them. */
export function encodeCbor(object: object, codec: StructCodec): Uint8Array {
  return Buffer.concat([selfDescribed, encodeCborItem(object, codec)])
}

/** As encodeCbor, without the tag. */
export function encodeCborItem(object: object, codec: StructCodec): Uint8Array {
  const out = new CborWriter()
  out.value(codec.canonical(object, { ordered: false }), codec.struct)
  return out.finish()
}

/** A custom resource in CBOR, its type checked elsewhere. `item`: without the self-described tag. */
export function encodeUntypedCbor(value: object, { item = false } = {}): Uint8Array {
  const out = new CborWriter()
  out.value(value, undefined)
  return item ? out.finish() : Buffer.concat([selfDescribed, out.finish()])
}

export class CborWriter {
  readonly #parts: Uint8Array[] = []

  finish(): Uint8Array {
    return Buffer.concat(this.#parts)
  }

  raw(bytes: Uint8Array): void {
    this.#parts.push(bytes)
  }

  array(length: number): void {
    this.#head(major.array, length)
  }

  map(size: number): void {
    this.#head(major.map, size)
  }

  string(text: string): void {
    const bytes = Buffer.from(text, 'utf8')
    this.#head(major.bytes, bytes.length)
    this.#parts.push(bytes)
  }

  /** A canonical JSON value; `type` tells which strings are base64 of bytes. */
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
    const entries = value instanceof Map ? [...value] : Object.entries(value)
    const present = entries.filter(([, item]) => item !== undefined)
    this.map(present.length)
    for (const [key, item] of present) {
      this.string(String(key))
      this.value(item, type?.is === 'struct' ? fieldType(type, String(key)) : elementOf(type))
    }
  }

  #text(text: string, type: Type | undefined): void {
    if (type?.is !== 'scalar' || type.scalar !== 'bytes') return this.string(text)
    const bytes = Buffer.from(text, 'base64')
    this.#head(major.tag, expectBase64Tag)
    this.#head(major.bytes, bytes.length)
    this.#parts.push(bytes)
  }

  #number(value: number): void {
    if (Number.isSafeInteger(value)) return this.#integer(value)
    const bytes = Buffer.alloc(9)
    bytes[0] = 0xfb
    bytes.writeDoubleBE(value, 1)
    this.#parts.push(bytes)
  }

  #integer(value: number | bigint): void {
    if (value >= 0) this.#head(major.unsigned, value)
    else this.#head(major.negative, typeof value === 'bigint' ? -1n - value : -1 - value)
  }

  #head(type: number, argument: number | bigint): void {
    const first = type << 5
    if (argument < 24) return this.#byte(first | Number(argument))
    const size = argument < 0x100 ? 0 : argument < 0x10000 ? 1 : argument < 0x100000000 ? 2 : 3
    const bytes = Buffer.alloc(1 + 2 ** size)
    bytes[0] = first | (24 + size)
    if (size === 3) bytes.writeBigUInt64BE(BigInt(argument), 1)
    else bytes.writeUIntBE(Number(argument), 1, 2 ** size)
    this.#parts.push(bytes)
  }

  #byte(byte: number): void {
    this.#parts.push(Uint8Array.of(byte))
  }
}

function elementOf(type: Type | undefined): Type | undefined {
  if (type?.is === 'list' || type?.is === 'map') return type.element
  // A schema-or-something: its object form is the schema's.
  return type?.is === 'struct' && type.wrapper ? type : undefined
}

function fieldType(type: Type & { is: 'struct' }, key: string): Type | undefined {
  if (!type.wrapper) return type.byName.get(key)?.type
  const schema = type.byName.get('schema')?.type
  return schema?.is === 'struct' ? schema.byName.get(key)?.type : undefined
}
