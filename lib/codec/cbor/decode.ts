import { type JsonValue, setField } from '../../object/index.ts'
import { DecodeError, nestingMax } from '../error.ts'
import { TooManyValues } from '../values.ts'

const major = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6, simple: 7 } as const
const expectBase64Tag = 22
const selfDescribedTag = 55799
const breakByte = 0xff
const indefinite = 31
const int64Max = 2n ** 63n - 1n

/**
 * The JSON value of a CBOR data item, of `max` values at most. Byte strings become strings, or base64 under tag 22.
 * Throws DecodeError for malformed input, duplicate keys, and values without a JSON form.
 */
export function decodeCbor(bytes: Uint8Array, max = Number.POSITIVE_INFINITY): JsonValue {
  const reader = new CborReader(bytes, max)
  const value = reader.value()
  reader.end()
  return value
}

/** The items of a CBOR sequence. */
export function decodeCborSequence(bytes: Uint8Array): JsonValue[] {
  const reader = new CborReader(bytes, Number.POSITIVE_INFINITY)
  const values: JsonValue[] = []
  while (reader.more()) values.push(reader.value())
  return values
}

class CborReader {
  readonly #bytes: Buffer
  readonly #valuesMax: number
  #values = 0
  #at = 0
  #depth = 0

  constructor(bytes: Uint8Array, max: number) {
    this.#valuesMax = max
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  more(): boolean {
    return this.#at < this.#bytes.length
  }

  end(): void {
    if (this.more())
      throw new DecodeError(
        `cbor: ${this.#bytes.length - this.#at} bytes of extraneous data starting at index ${this.#at}`,
      )
  }

  value(): JsonValue {
    if (++this.#depth > nestingMax) throw new DecodeError('cbor: exceeded max nested level')
    if (++this.#values > this.#valuesMax) throw new TooManyValues()
    const initial = this.#byte()
    const value = this.#item(initial >> 5, initial & 31)
    this.#depth--
    return value
  }

  #item(type: number, info: number): JsonValue {
    switch (type) {
      case major.unsigned:
        return this.#integer(this.#argument(info), false)
      case major.negative:
        return this.#integer(this.#argument(info), true)
      case major.bytes:
      case major.text:
        return this.#text(type, info)
      case major.array:
        return this.#array(info)
      case major.map:
        return this.#map(info)
      case major.tag:
        return this.#tagged(Number(this.#argument(info)))
      default:
        return this.#simple(info)
    }
  }

  #integer(argument: number | bigint, negative: boolean): number | bigint {
    if (typeof argument === 'number' && argument < Number.MAX_SAFE_INTEGER) return negative ? -1 - argument : argument
    const value = negative ? -1n - BigInt(argument) : argument
    if (BigInt(value) > int64Max || BigInt(value) < -int64Max - 1n)
      throw new DecodeError('cbor: integer overflows int64')
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : BigInt(value)
  }

  #array(info: number): JsonValue[] {
    const items: JsonValue[] = []
    if (info === indefinite) {
      while (!this.#break()) items.push(this.value())
      return items
    }
    // Each item takes a byte at least: a larger length is false, and fails when the bytes end.
    const count = Number(this.#argument(info))
    for (let i = 0; i < count; i++) items.push(this.value())
    return items
  }

  #map(info: number): JsonValue {
    const object: Record<string, JsonValue> = {}
    const count = info === indefinite ? Number.POSITIVE_INFINITY : Number(this.#argument(info))
    for (let index = 0; index < count; index++) {
      if (info === indefinite && this.#break()) break
      const key = this.#key()
      if (Object.hasOwn(object, key))
        throw new DecodeError(`cbor: found duplicate map key ${JSON.stringify(key)} at map element index ${index}`)
      setField(object, key, this.value())
    }
    return object
  }

  #key(): string {
    const initial = this.#byte()
    const type = initial >> 5
    if (type !== major.bytes && type !== major.text) throw new DecodeError('cbor: a map key is not a string')
    return this.#text(type, initial & 31)
  }

  #tagged(tag: number): JsonValue {
    if (tag === expectBase64Tag) {
      const initial = this.#byte()
      if (initial >> 5 !== major.bytes) throw new DecodeError('cbor: tag 22 is not followed by a byte string')
      return this.#string(major.bytes, initial & 31).toString('base64')
    }
    if (tag !== selfDescribedTag) throw new DecodeError(`cbor: unsupported tag ${tag}`)
    return this.value()
  }

  #text(type: number, info: number): string {
    if (info === indefinite) return this.#string(type, info).toString('utf8')
    const count = Number(this.#argument(info))
    this.#skip(count)
    return this.#bytes.toString('utf8', this.#at - count, this.#at)
  }

  #string(type: number, info: number): Buffer {
    if (info !== indefinite) return this.#take(Number(this.#argument(info)))
    const chunks: Buffer[] = []
    while (!this.#break()) {
      const initial = this.#byte()
      if (initial >> 5 !== type || (initial & 31) === indefinite)
        throw new DecodeError('cbor: a chunk is of another type')
      chunks.push(this.#take(Number(this.#argument(initial & 31))))
    }
    return Buffer.concat(chunks)
  }

  #simple(info: number): JsonValue {
    if (info === 20) return false
    if (info === 21) return true
    if (info === 22) return null
    if (info === 25) return this.#finite(readHalf(this.#take(2)))
    if (info === 26) return this.#finite(this.#take(4).readFloatBE())
    if (info === 27) return this.#finite(this.#take(8).readDoubleBE())
    throw new DecodeError(`cbor: unsupported simple value ${info}`)
  }

  #finite(value: number): number {
    if (!Number.isFinite(value)) throw new DecodeError('cbor: a number is not finite')
    return value
  }

  #argument(info: number): number | bigint {
    if (info < 24) return info
    if (info === 24) return this.#byte()
    if (info === 25) return this.#take(2).readUInt16BE()
    if (info === 26) return this.#take(4).readUInt32BE()
    if (info === 27) {
      const value = this.#take(8).readBigUInt64BE()
      return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
    }
    throw new DecodeError(`cbor: invalid additional information ${info}`)
  }

  #break(): boolean {
    if (this.#bytes[this.#at] !== breakByte) return false
    this.#at++
    return true
  }

  #byte(): number {
    const byte = this.#bytes[this.#at]
    if (byte === undefined) throw new DecodeError('unexpected EOF')
    this.#at++
    return byte
  }

  #skip(count: number): void {
    if (count > this.#bytes.length - this.#at) throw new DecodeError('unexpected EOF')
    this.#at += count
  }

  #take(count: number): Buffer {
    this.#skip(count)
    return this.#bytes.subarray(this.#at - count, this.#at)
  }
}

function readHalf(bytes: Buffer): number {
  const bits = bytes.readUInt16BE()
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * 2 ** -24 * fraction
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * 2 ** (exponent - 25) * (1024 + fraction)
}
