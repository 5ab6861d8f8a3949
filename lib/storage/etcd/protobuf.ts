import { assert } from '../../base/index.ts'

const wireVarint = 0
const wireFixed64 = 1
const wireBytes = 2
const wireFixed32 = 5

/** Number of bytes of `value` as a varint; integers from 0 to 2^53. */
export function varintSize(value: number): number {
  let size = 1
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++
  return size
}

/** Number of bytes of a 64-bit id as a varint. */
export function idSize(id: bigint): number {
  let size = 1
  for (let rest = id; rest >= 0x80n; rest >>= 7n) size++
  return size
}

/** Number of bytes of a length-delimited field with a one-byte tag. */
export function fieldSize(length: number): number {
  return 1 + varintSize(length) + length
}

/** Writes fields in order into a buffer of the right size. All field numbers are below 16, so a tag is one byte. */
export class EtcdMessageWriter {
  readonly buffer: Buffer
  #at = 0

  constructor(size: number) {
    this.buffer = Buffer.allocUnsafe(size)
  }

  byte(value: number): void {
    this.buffer[this.#at++] = value
  }

  uint32(value: number): void {
    this.#at = this.buffer.writeUInt32BE(value, this.#at)
  }

  varint(value: number): void {
    let rest = value
    while (rest >= 0x80) {
      this.buffer[this.#at++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.buffer[this.#at++] = rest
  }

  /** An integer field, written even when it is 0. */
  number(field: number, value: number): void {
    this.byte((field << 3) | wireVarint)
    this.varint(value)
  }

  /** An id of 64 bits. */
  id(field: number, value: bigint): void {
    this.byte((field << 3) | wireVarint)
    let rest = value
    for (; rest >= 0x80n; rest >>= 7n) this.byte(Number(rest & 0x7fn) | 0x80)
    this.byte(Number(rest))
  }

  /** The tag and length of a nested message or of bytes. */
  open(field: number, length: number): void {
    this.byte((field << 3) | wireBytes)
    this.varint(length)
  }

  text(field: number, value: string, length: number): void {
    this.open(field, length)
    this.#at += this.buffer.write(value, this.#at, length === value.length ? 'latin1' : 'utf8')
  }

  bytes(field: number, value: Uint8Array): void {
    this.open(field, value.length)
    this.buffer.set(value, this.#at)
    this.#at += value.length
  }

  /** The buffer, which must be full. */
  finish(): Buffer {
    assert(this.#at === this.buffer.length, 'protobuf: the computed size is wrong')
    return this.buffer
  }
}

/**
 * Walks the fields of a message: `while (reader.next()) switch (reader.field) …`. A field that the caller doesn't read
 * is skipped. Throws RangeError for other bytes.
 */
export class EtcdMessageReader {
  readonly buffer: Buffer
  #at: number
  #end: number
  #wire = -1
  field = 0

  constructor(buffer: Buffer, start = 0, end: number = buffer.length) {
    this.buffer = buffer
    this.#at = start
    this.#end = end
  }

  next(): boolean {
    if (this.#wire >= 0) this.#skip()
    if (this.#at >= this.#end) return false
    const tag = this.#varint()
    this.field = tag >>> 3
    this.#wire = tag & 7
    return true
  }

  /** An integer of 64 bits, taken as unsigned. */
  id(): bigint {
    if (this.#wire !== wireVarint) throw new RangeError('protobuf: an integer is expected')
    this.#wire = -1
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      if (this.#at >= this.#end) throw new RangeError('protobuf: an integer is cut short')
      const byte = this.buffer[this.#at++] ?? 0
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
      if (shift > 63n) throw new RangeError('protobuf: an integer is too long')
    }
  }

  /** Integers below 2^53; greater ones, such as ids, lose precision. */
  number(): number {
    if (this.#wire !== wireVarint) throw new RangeError('protobuf: an integer is expected')
    this.#wire = -1
    return this.#varint()
  }

  bool(): boolean {
    return this.number() !== 0
  }

  text(): string {
    const start = this.#enter()
    return this.buffer.toString('utf8', start, this.#at)
  }

  /** A copy, in memory of its own or in `blocks`. */
  bytes(blocks?: { take(bytes: number): Buffer }): Uint8Array {
    const start = this.#enter()
    const length = this.#at - start
    const copy = blocks?.take(length) ?? Buffer.allocUnsafeSlow(length)
    this.buffer.copy(copy, 0, start, this.#at)
    return copy
  }

  message(): EtcdMessageReader {
    const start = this.#enter()
    return new EtcdMessageReader(this.buffer, start, this.#at)
  }

  /** Moves behind a length-delimited value and returns its start. */
  #enter(): number {
    if (this.#wire !== wireBytes) throw new RangeError('protobuf: bytes are expected')
    this.#wire = -1
    const length = this.#varint()
    const start = this.#at
    this.#at += length
    if (this.#at > this.#end) throw new RangeError('protobuf: a value is cut short')
    return start
  }

  #varint(): number {
    const { buffer } = this
    let value = 0
    let scale = 1
    for (;;) {
      if (this.#at >= this.#end) throw new RangeError('protobuf: an integer is cut short')
      const byte = buffer[this.#at++] ?? 0
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 0x80
    }
  }

  #skip(): void {
    const wire = this.#wire
    if (wire === wireVarint) this.number()
    else if (wire === wireBytes) this.#enter()
    else if (wire === wireFixed64) this.#at += 8
    else if (wire === wireFixed32) this.#at += 4
    else throw new RangeError('protobuf: an unknown wire type')
    this.#wire = -1
  }
}
