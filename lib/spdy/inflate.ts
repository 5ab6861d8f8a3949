import { adler32 } from './dictionary.ts'

/** Maximum distance of a copy (RFC 1951). */
const windowBytes = 32_768
const lengthBases = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258] // biome-ignore format: a table
const lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0] // biome-ignore format: a table
const distanceBases = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12_289, 16_385, 24_577] // biome-ignore format: a table
const distanceBits = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13] // biome-ignore format: a table
/** The order in which a block gives the lengths of the code length codes. */
const codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
const codeBitsMax = 15

/** A canonical Huffman code: how many symbols have each length, and the symbols in the order of their codes. */
interface Code {
  readonly counts: Uint16Array
  readonly symbols: Uint16Array
}

/**
 * Decompresses one zlib stream that its sender flushes after each message. Written here because a connection has few
 * and small messages: it keeps the output so far, where zlib would keep a window of 32 KiB from the start.
 */
export class Inflater {
  readonly #dictionary: Buffer
  #history: Buffer
  #hasBegun = false
  #bits = 0
  #bitCount = 0
  #input: Uint8Array = new Uint8Array(0)
  #at = 0
  #output: Buffer
  #length = 0
  #lengthMax = 0

  constructor(dictionary: Buffer) {
    this.#dictionary = dictionary
    this.#history = dictionary
    this.#output = dictionary
  }

  /** Decompresses a whole message. Throws for malformed bytes, and beyond `bytesMax` of output. */
  inflate(input: Uint8Array, bytesMax: number): Buffer {
    this.#input = input
    this.#at = 0
    this.#output = Buffer.alloc(this.#history.length + 1024)
    this.#history.copy(this.#output)
    const start = (this.#length = this.#history.length)
    this.#lengthMax = start + bytesMax
    if (!this.#hasBegun) this.#begin()
    while (this.#at < input.length) this.#block()
    const message = Buffer.from(this.#output.subarray(start, this.#length))
    this.#history = Buffer.from(this.#output.subarray(Math.max(0, this.#length - windowBytes), this.#length))
    this.#output = this.#history
    this.#input = new Uint8Array(0)
    return message
  }

  #begin(): void {
    const [method, flags] = [this.#byte(), this.#byte()]
    if ((method & 15) !== 8 || (method * 256 + flags) % 31 !== 0) throw new Error('no zlib stream')
    if ((flags & 32) === 0 || this.#identifier() !== adler32(this.#dictionary)) throw new Error('another dictionary')
    this.#hasBegun = true
  }

  #identifier(): number {
    let value = 0
    for (let index = 0; index < 4; index++) value = value * 256 + this.#byte()
    return value
  }

  #block(): void {
    const isLast = this.#take(1) === 1
    const type = this.#take(2)
    if (type === 0) this.#stored()
    else if (type === 1) this.#coded(fixedLengths, fixedDistances)
    else if (type === 2) {
      const { lengths, distances } = this.#codes()
      this.#coded(lengths, distances)
    } else throw new Error('no type of block')
    if (isLast) throw new Error('the stream has ended')
  }

  #stored(): void {
    this.#bits = 0
    this.#bitCount = 0
    const length = this.#byte() + this.#byte() * 256
    const complement = this.#byte() + this.#byte() * 256
    if (length !== (~complement & 0xffff)) throw new Error('a length and its complement differ')
    for (let index = 0; index < length; index++) this.#put(this.#byte())
  }

  #coded(lengths: Code, distances: Code): void {
    for (;;) {
      const symbol = this.#symbol(lengths)
      if (symbol < 256) this.#put(symbol)
      else if (symbol === 256) return
      else this.#copy(symbol - 257, distances)
    }
  }

  #copy(index: number, distances: Code): void {
    const base = lengthBases[index]
    if (base === undefined) throw new Error('no length')
    const length = base + this.#take(lengthBits[index] ?? 0)
    const place = this.#symbol(distances)
    const distanceBase = distanceBases[place]
    if (distanceBase === undefined) throw new Error('no distance')
    const distance = distanceBase + this.#take(distanceBits[place] ?? 0)
    if (distance > this.#length) throw new Error('a copy of what was not sent')
    for (let count = 0; count < length; count++) this.#put(this.#output[this.#length - distance] ?? 0)
  }

  #codes(): { lengths: Code; distances: Code } {
    const lengthCount = this.#take(5) + 257
    const distanceCount = this.#take(5) + 1
    const codeCount = this.#take(4) + 4
    const codeLengths = new Uint8Array(19)
    for (let index = 0; index < codeCount; index++) codeLengths[codeOrder[index] ?? 0] = this.#take(3)
    const code = codeOf(codeLengths)
    const all = new Uint8Array(lengthCount + distanceCount)
    for (let index = 0; index < all.length; ) {
      const symbol = this.#symbol(code)
      if (symbol < 16) {
        all[index++] = symbol
        continue
      }
      if (symbol === 16 && index === 0) throw new Error('nothing to repeat')
      const value = symbol === 16 ? (all[index - 1] ?? 0) : 0
      const times = symbol === 16 ? 3 + this.#take(2) : symbol === 17 ? 3 + this.#take(3) : 11 + this.#take(7)
      if (index + times > all.length) throw new Error('too many lengths')
      all.fill(value, index, index + times)
      index += times
    }
    return { lengths: codeOf(all.subarray(0, lengthCount)), distances: codeOf(all.subarray(lengthCount)) }
  }

  #symbol({ counts, symbols }: Code): number {
    let code = 0
    let first = 0
    let index = 0
    for (let length = 1; length <= codeBitsMax; length++) {
      code |= this.#take(1)
      const count = counts[length] ?? 0
      if (code - first < count) return symbols[index + code - first] ?? 0
      index += count
      first = (first + count) * 2
      code *= 2
    }
    throw new Error('no code')
  }

  #put(byte: number): void {
    if (this.#length === this.#lengthMax) throw new Error('too long')
    if (this.#length === this.#output.length) {
      const larger = Buffer.alloc(this.#output.length * 2)
      this.#output.copy(larger)
      this.#output = larger
    }
    this.#output[this.#length++] = byte
  }

  #take(count: number): number {
    while (this.#bitCount < count) {
      this.#bits |= this.#byte() << this.#bitCount
      this.#bitCount += 8
    }
    const value = this.#bits & ((1 << count) - 1)
    this.#bits >>>= count
    this.#bitCount -= count
    return value
  }

  #byte(): number {
    const byte = this.#input[this.#at++]
    if (byte === undefined) throw new Error('the message ends too early')
    return byte
  }
}

function codeOf(lengths: Uint8Array): Code {
  const counts = new Uint16Array(codeBitsMax + 1)
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1
  counts[0] = 0
  let left = 1
  const offsets = new Uint16Array(codeBitsMax + 2)
  for (let length = 1; length <= codeBitsMax; length++) {
    left = left * 2 - (counts[length] ?? 0)
    if (left < 0) throw new Error('a code with too many symbols')
    offsets[length + 1] = (offsets[length] ?? 0) + (counts[length] ?? 0)
  }
  const symbols = new Uint16Array(lengths.length)
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue
    const place = offsets[length] ?? 0
    symbols[place] = symbol
    offsets[length] = place + 1
  }
  return { counts, symbols }
}

const fixedLengths = codeOf(
  Uint8Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8)),
)
const fixedDistances = codeOf(new Uint8Array(30).fill(5))
