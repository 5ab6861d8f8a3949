/** Bytes that are not DER, or not of the expected structure. */
export class DerError extends Error {
  override readonly name = 'DerError'
}

/** One value: its tag, its contents, and all of it. Both are views of the input. */
export interface DerElement {
  readonly tag: number
  readonly content: Uint8Array
  readonly whole: Uint8Array
}

/** The tags that this server reads. */
export const derTags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  t61String: 0x14,
  ia5String: 0x16,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
  /** [0] IMPLICIT SET OF, in a certification request. */
  attributes: 0xa0,
  /** [3] EXPLICIT, in a certificate. */
  extensions: 0xa3,
} as const

/** Maximum number of members of any structure that this server reads. */
const membersMax = 10_000

/**
 * Reads DER (X.690) one value after the other, and never beyond the enclosing value. Lengths are definite and minimal,
 * tags have one byte, as in all certificates and requests. Every method throws DerError for anything else.
 */
export class DerReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get more(): boolean {
    return this.#at < this.#bytes.length
  }

  /** The next value, with any tag unless one is given. */
  next(tag?: number): DerElement {
    const start = this.#at
    const found = this.#byte()
    if ((found & 0x1f) === 0x1f) throw new DerError('malformed DER: a tag of several bytes')
    if (tag !== undefined && found !== tag) throw new DerError(`malformed DER: tag ${found} in the place of ${tag}`)
    const length = this.#length()
    const content = this.#at
    if (length > this.#bytes.length - content) throw new DerError('malformed DER: a value is cut off')
    this.#at = content + length
    return {
      tag: found,
      content: this.#bytes.subarray(content, this.#at),
      whole: this.#bytes.subarray(start, this.#at),
    }
  }

  /** A reader of the content of the next value. */
  enter(tag: number): DerReader {
    return new DerReader(this.next(tag).content)
  }

  /** All remaining values. */
  rest(): DerElement[] {
    const found: DerElement[] = []
    while (this.more) {
      if (found.length === membersMax) throw new DerError(`malformed DER: more than ${membersMax} members`)
      found.push(this.next())
    }
    return found
  }

  #length(): number {
    const first = this.#byte()
    if (first < 0x80) return first
    const octets = first & 0x7f
    if (octets === 0) throw new DerError('malformed DER: an indefinite length')
    if (octets > 4) throw new DerError('malformed DER: a length is too long')
    let length = 0
    for (let octet = 0; octet < octets; octet++) length = length * 256 + this.#byte()
    if (length < 0x80 || length < 256 ** (octets - 1)) throw new DerError('malformed DER: a length is not minimal')
    return length
  }

  #byte(): number {
    const byte = this.#bytes[this.#at]
    if (byte === undefined) throw new DerError('malformed DER: it is cut off')
    this.#at++
    return byte
  }
}
