interface FastBuffer extends Buffer {
  utf8Write(text: string, at: number, length: number): number
  latin1Write(text: string, at: number, length: number): number
}

const firstBytes = 16 * 1024
/** A larger buffer is not reused for the next message. */
const keptBytesMax = 1024 * 1024
const shortText = 24

/**
 * Writes a protobuf message from its end to its start, so that every length is known in time. Fields go in descending
 * order. One message at a time; `finish` answers a copy and empties the buffer.
 */
export class ProtobufWriter {
  #bytes: FastBuffer
  /** First byte written so far; the message reaches from here to the end of the buffer. */
  #at: number

  constructor(capacity = firstBytes) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity) as FastBuffer
    this.#at = capacity
  }

  /** The writer's position; pass it to `length` after writing a sub-message's content. */
  mark(): number {
    return this.#bytes.length - this.#at
  }

  /** Length prefix and tag of everything written since `mark`. */
  length(tag: number, mark: number): void {
    this.uint32(this.#bytes.length - this.#at - mark)
    this.uint32(tag)
  }

  uint32(value: number): void {
    if (value < 0x80) {
      if (this.#at === 0) this.#grow(1)
      this.#bytes[--this.#at] = value
      return
    }
    const size = value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5
    if (this.#at < size) this.#grow(size)
    this.#at -= size
    let at = this.#at
    let rest = value
    for (; rest > 0x7f; rest >>>= 7) this.#bytes[at++] = (rest & 0x7f) | 0x80
    this.#bytes[at] = rest
  }

  int32(value: number): void {
    if (value >= 0) this.uint32(value)
    else this.int64(value)
  }

  int64(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0 && value <= 0xffffffff) return this.uint32(value)
    let rest = BigInt.asUintN(64, BigInt(value))
    const digits: number[] = []
    for (; rest > 0x7fn; rest >>= 7n) digits.push(Number(rest & 0x7fn) | 0x80)
    digits.push(Number(rest))
    this.#reserve(digits.length)
    for (const [offset, digit] of digits.entries()) this.#bytes[this.#at + offset] = digit
  }

  bool(value: boolean): void {
    this.uint32(value ? 1 : 0)
  }

  double(value: number): void {
    this.#reserve(8)
    this.#bytes.writeDoubleLE(value, this.#at)
  }

  /** A string field, tag and length included. */
  string(tag: number, text: string): void {
    const mark = this.mark()
    this.#text(text)
    this.length(tag, mark)
  }

  base64(tag: number, text: string): void {
    this.bytes(tag, Buffer.from(text, 'base64'))
  }

  bytes(tag: number, value: Uint8Array): void {
    this.raw(value)
    this.uint32(value.length)
    this.uint32(tag)
  }

  /** Bytes, without tag and length. */
  raw(value: Uint8Array): void {
    this.#reserve(value.length)
    this.#bytes.set(value, this.#at)
  }

  /** A copy of the message, which may share its memory with other small buffers. */
  finish(): Uint8Array {
    const message = Buffer.from(this.#bytes.subarray(this.#at))
    this.reset()
    return message
  }

  reset(): void {
    if (this.#bytes.length > keptBytesMax) this.#bytes = Buffer.allocUnsafeSlow(firstBytes) as FastBuffer
    this.#at = this.#bytes.length
  }

  #text(text: string): void {
    const { length } = text
    if (length <= shortText) {
      if (this.#at < length) this.#grow(length)
      const bytes = this.#bytes
      let at = this.#at
      let i = length - 1
      for (; i >= 0; i--) {
        const code = text.charCodeAt(i)
        if (code > 0x7f) break
        bytes[--at] = code
      }
      if (i < 0) {
        this.#at = at
        return
      }
    }
    const size = Buffer.byteLength(text)
    this.#reserve(size)
    if (size === length) this.#bytes.latin1Write(text, this.#at, size)
    else this.#bytes.utf8Write(text, this.#at, size)
  }

  #reserve(size: number): void {
    if (this.#at < size) this.#grow(size)
    this.#at -= size
  }

  #grow(size: number): void {
    const used = this.mark()
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, used + size)) as FastBuffer
    this.#bytes.copy(larger, larger.length - used, this.#at)
    this.#bytes = larger
    this.#at = larger.length - used
  }
}
