import { parseJsonText } from '../../object/index.ts'
import { DecodeError, nestingMax } from '../error.ts'
import { scanJson } from '../json/scan.ts'
import { TooManyValues } from '../values.ts'
import type { RecentStrings } from './recentstrings.ts'

/** Node's internal slice functions: they skip the argument checks of `toString`, half of the cost for short strings. */
interface FastBuffer extends Buffer {
  utf8Slice(start: number, end: number): string
  latin1Slice(start: number, end: number): string
}

/** V8 makes a substring of at least this length a view into its parent; shorter ones are copies. */
const viewLengthMin = 13
const varintBytesMax = 10

/**
 * A cursor over a protobuf message. All results are copies. Every read checks its bounds: hostile bytes end in a
 * DecodeError.
 */
export class ProtobufReader {
  pos = 0
  /** The message comes from a client: nothing in it has been checked. */
  readonly isSent: boolean
  /** End of the current message. */
  end: number
  readonly #bytes: FastBuffer
  #latin1: string | undefined
  #depth = 0
  #messages = 0
  readonly #messagesMax: number
  readonly #isSparse: boolean
  readonly #strings: RecentStrings | undefined

  /**
   * `isSparse`: few of the message's strings are read, and the others are skipped. `strings`: those of other messages, for
   * readers whose results are kept.
   */
  constructor(bytes: Uint8Array, messagesMax = Number.POSITIVE_INFINITY, isSparse = false, strings?: RecentStrings) {
    this.#strings = strings
    this.#messagesMax = messagesMax
    this.#isSparse = isSparse
    this.isSent = Number.isFinite(messagesMax)
    const isBuffer = bytes instanceof Buffer
    this.#bytes = (isBuffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) as FastBuffer
    this.end = bytes.length
  }

  /** All bytes that it reads, for who compares parts of them. */
  get whole(): Uint8Array {
    return this.#bytes
  }

  /** An unsigned varint that fits into 32 bits: tags and lengths. */
  uint32(): number {
    const bytes = this.#bytes
    let byte = this.#byte()
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    for (let shift = 7; shift < 28; shift += 7) {
      if (this.pos >= this.end) truncated()
      byte = bytes[this.pos++] ?? 0
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    byte = this.#byte()
    value = (value | ((byte & 0x7f) << 28)) >>> 0
    // Bits beyond 32 are dropped; more than ten bytes are no varint.
    for (let count = 5; byte >= 0x80; count++) {
      if (count === varintBytesMax) overflow()
      byte = this.#byte()
    }
    return value
  }

  /** The low 32 bits of a varint, signed: a negative int32 has ten bytes. */
  int32(): number {
    const first = this.#bytes[this.pos]
    if (first !== undefined && first < 0x80 && this.pos < this.end) {
      this.pos++
      return first
    }
    return this.#varint().low | 0
  }

  int64(): number | bigint {
    const first = this.#bytes[this.pos]
    if (first !== undefined && first < 0x80 && this.pos < this.end) {
      this.pos++
      return first
    }
    const { low, high } = this.#varint()
    const signed = high | 0
    if (signed < 0x200000 && signed >= -0x200000) {
      const value = signed * 4294967296 + low
      if (Number.isSafeInteger(value)) return value
    }
    return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low))
  }

  bool(): boolean {
    const { low, high } = this.#varint()
    return low !== 0 || high !== 0
  }

  double(): number {
    if (this.end - this.pos < 8) truncated()
    const value = this.#bytes.readDoubleLE(this.pos)
    this.pos += 8
    return value
  }

  string(): string {
    const start = this.#begin()
    const stop = this.pos
    const known = this.#strings?.find(this.#bytes, start, stop)
    if (known !== undefined) return known
    const made = this.#text(start, stop)
    return this.#strings ? this.#strings.keep(this.#bytes, start, stop, made) : made
  }

  #text(start: number, stop: number): string {
    // The text of the whole message is made for many strings only.
    if (stop - start < viewLengthMin && !this.#isSparse) {
      if (this.#isAscii(start, stop)) {
        this.#latin1 ??= this.#bytes.latin1Slice(0, this.#bytes.length)
        return this.#latin1.slice(start, stop)
      }
    }
    return this.#bytes.utf8Slice(start, stop)
  }

  /** Like `string`, for callers that read few strings: without the view of the whole message for short ones. */
  fewStrings(): string {
    const start = this.#begin()
    return this.#bytes.utf8Slice(start, this.pos)
  }

  /** A bytes field as standard base64. */
  base64(): string {
    const start = this.#begin()
    return this.#bytes.toString('base64', start, this.pos)
  }

  /** A bytes field with a JSON text; its nesting and that of its messages together are limited as in other bodies. */
  json(): unknown {
    const start = this.#begin()
    // A message adds at most two levels to the object's JSON: its own, and that of the list or map around it.
    const depthMax = nestingMax - 2 * this.#depth
    // Each level takes two bytes.
    if (this.pos - start > 2 * depthMax) scanJson(this.#bytes.subarray(start, this.pos), depthMax)
    return parseJsonText(this.#bytes.utf8Slice(start, this.pos))
  }

  /** A copy of a bytes field. */
  bytes(): Uint8Array<ArrayBuffer> {
    const start = this.#begin()
    return new Uint8Array(this.#bytes.subarray(start, this.pos))
  }

  /** Enters a sub-message: reads its length, sets `end` to its end, and answers the previous end. */
  enter(): number {
    const length = this.uint32()
    const outer = this.end
    if (length > outer - this.pos) truncated()
    if (++this.#depth > nestingMax) throw new DecodeError('exceeded max depth')
    if (++this.#messages > this.#messagesMax) throw new TooManyValues()
    this.end = this.pos + length
    return outer
  }

  leave(outer: number): void {
    this.#depth--
    this.end = outer
  }

  /** Whether the rest of the current message has a field of these numbers; if not, the rest is skipped. */
  hasAnyOf(fields: readonly { readonly number: number }[]): boolean {
    const start = this.pos
    while (this.pos < this.end) {
      const tag = this.uint32()
      for (const { number } of fields)
        if (number === tag >>> 3) {
          this.pos = start
          return true
        }
      this.skip(tag)
    }
    return false
  }

  /** Skips a field that the type doesn't have. */
  skip(tag: number): void {
    switch (tag & 7) {
      case 0:
        this.#varint()
        return
      case 1:
        this.#advance(8)
        return
      case 2:
        this.#begin()
        return
      case 3:
        this.#skipGroup(tag >>> 3)
        return
      case 5:
        this.#advance(4)
        return
      default:
        throw new DecodeError(`proto: illegal wireType ${tag & 7}`)
    }
  }

  wrongWireType(tag: number, name: string): never {
    throw new DecodeError(`proto: wrong wireType = ${tag & 7} for field ${name}`)
  }

  #skipGroup(number: number): void {
    if (++this.#depth > nestingMax) throw new DecodeError('exceeded max depth')
    for (;;) {
      const tag = this.uint32()
      if ((tag & 7) === 4) {
        if (tag >>> 3 !== number) throw new DecodeError('proto: unexpected end of group')
        break
      }
      this.skip(tag)
    }
    this.#depth--
  }

  /** Reads a length and skips its content; answers where that begins. */
  #begin(): number {
    const length = this.uint32()
    const start = this.pos
    if (length > this.end - start) truncated()
    this.pos = start + length
    return start
  }

  #advance(count: number): void {
    if (count > this.end - this.pos) truncated()
    this.pos += count
  }

  #isAscii(start: number, stop: number): boolean {
    const bytes = this.#bytes
    let bits = 0
    for (let i = start; i < stop; i++) bits |= bytes[i] ?? 0
    return bits < 0x80
  }

  #byte(): number {
    if (this.pos >= this.end) truncated()
    return this.#bytes[this.pos++] ?? 0
  }

  #varint(): { low: number; high: number } {
    let low = 0
    let high = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#byte()
      const bits = byte & 0x7f
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high = bits >>> 4
      } else if (shift < 63) high |= bits << (shift - 32)
      else high |= (bits & 1) << 31
      if (byte < 0x80) return { low: low >>> 0, high: high >>> 0 }
    }
    return overflow()
  }
}

function overflow(): never {
  throw new DecodeError('proto: integer overflow')
}

function truncated(): never {
  throw new DecodeError('unexpected EOF')
}
