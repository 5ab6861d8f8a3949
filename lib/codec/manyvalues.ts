/** Smaller objects are processed at once: that takes a few milliseconds altogether. */
export const largeBytesMin = 64 * 1024

const comma = 0x2c
const colon = 0x3a
const newline = 0x0a
/** First bytes of built-in kinds in storage. */
const protobufMagic = [0x6b, 0x38, 0x73, 0x00]
/** Shorter parts of a message are not searched: they are mostly texts. */
const partBytesMin = 8
const depthMax = 32
/**
 * Maximum number of fields searched for each field of the limit, before the answer is yes: texts can look like
 * messages.
 */
const looksPerField = 50

/**
 * Whether these bytes contain at least `min` values. JSON, YAML and CBOR: an estimate by separators, those within
 * strings included. Protobuf in its envelope: by fields. Takes about a millisecond a megabyte.
 */
export function hasManyValues(bytes: Uint8Array, min: number): boolean {
  if (protobufMagic.every((byte, at) => bytes[at] === byte))
    return new FieldCounter(bytes, min).count(protobufMagic.length, bytes.length, 0) >= min
  // CBOR has no separators: each value begins with a byte that may be any.
  if (bytes[0] === 0xd9) return true
  let separators = 0
  for (const byte of bytes)
    if ((byte === comma || byte === colon || byte === newline) && ++separators >= min) return true
  return false
}

/** Counts the fields of a message and of every field that may be a message itself. */
class FieldCounter {
  readonly #bytes: Uint8Array
  readonly #max: number
  #at = 0
  #looksLeft: number

  constructor(bytes: Uint8Array, max: number) {
    this.#bytes = bytes
    this.#max = max
    this.#looksLeft = max * looksPerField
  }

  /** The number of fields between two positions, up to the maximum; 0 where there is no message. */
  count(from: number, to: number, depth: number): number {
    let fields = 0
    let at = from
    while (at < to && fields < this.#max) {
      if (--this.#looksLeft < 0) return this.#max
      const tag = this.#varint(at, to)
      const end = this.#endOf(tag & 7, this.#at, to)
      if (tag < 8 || end > to) return 0
      fields++
      const start = this.#at
      if ((tag & 7) === 2 && end - start >= partBytesMin && depth < depthMax)
        fields += this.count(start, end, depth + 1)
      at = end
    }
    return fields
  }

  /** Where a field's value ends; beyond `to` where it is malformed. Sets `#at` to the beginning of its content. */
  #endOf(wireType: number, at: number, to: number): number {
    switch (wireType) {
      case 0:
        this.#varint(at, to)
        return this.#at
      case 1:
        return at + 8
      case 2: {
        const length = this.#varint(at, to)
        return this.#at + length
      }
      case 5:
        return at + 4
      default:
        return Infinity
    }
  }

  /** Sets `#at` behind the varint. */
  #varint(at: number, to: number): number {
    let value = 0
    let factor = 1
    for (let next = at; next < to && next < at + 10; next++) {
      const byte = this.#bytes[next] ?? 0
      value += (byte & 0x7f) * factor
      factor *= 128
      if (byte < 0x80) {
        this.#at = next + 1
        return value
      }
    }
    this.#at = to + 1
    return 0
  }
}
