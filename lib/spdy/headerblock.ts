import { adler32, dictionary } from './dictionary.ts'
import { Inflater } from './inflate.ts'

/** Names in lower case. */
export type SpdyHeaders = Readonly<Record<string, string>>

const blockBytesMax = 32 * 1024
const pairsMax = 100
/** An empty stored block: it lets the receiver decode everything before it. */
const flushMark = Buffer.of(0, 0, 0, 0xff, 0xff)

/** Writes header blocks as parts of one zlib stream. They are short and few, so none is compressed. */
export class HeaderEncoder {
  #hasBegun = false

  encode(headers: SpdyHeaders): Buffer {
    const block = blockOf(headers)
    const head = Buffer.alloc(5)
    head.writeUInt16LE(block.length, 1)
    head.writeUInt16LE(~block.length & 0xffff, 3)
    const parts = [head, block, flushMark]
    if (!this.#hasBegun) parts.unshift(streamHead())
    this.#hasBegun = true
    return Buffer.concat(parts)
  }
}

/** RFC 1950, with the dictionary's identifier. */
function streamHead(): Buffer {
  const head = Buffer.of(0x78, 0xbb, 0, 0, 0, 0)
  head.writeUInt32BE(adler32(dictionary), 2)
  return head
}

function blockOf(headers: SpdyHeaders): Buffer {
  const pairs = Object.entries(headers)
  const parts = [numberOf(pairs.length)]
  for (const pair of pairs)
    for (const text of pair) {
      const bytes = Buffer.from(text)
      parts.push(numberOf(bytes.length), bytes)
    }
  const block = Buffer.concat(parts)
  if (block.length > blockBytesMax) throw new RangeError(`headers of more than ${blockBytesMax} bytes`)
  return block
}

function numberOf(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Reads the header blocks of a connection, in their order of arrival. */
export class SpdyHeaderDecoder {
  readonly #inflater = new Inflater(dictionary)

  /** Several values of one name are joined with commas. Throws for a malformed block. */
  decode(bytes: Uint8Array): SpdyHeaders {
    const block = this.#inflater.inflate(bytes, blockBytesMax)
    let at = 0
    const number = (): number => {
      if (at + 4 > block.length) throw new Error('headers end too early')
      at += 4
      return block.readUInt32BE(at - 4)
    }
    const text = (): string => {
      const length = number()
      if (at + length > block.length) throw new Error('headers end too early')
      at += length
      return block.toString('utf8', at - length, at)
    }
    const count = number()
    if (count > pairsMax) throw new Error(`more than ${pairsMax} headers`)
    const headers: Record<string, string> = Object.create(null) as Record<string, string>
    for (let index = 0; index < count; index++) {
      const name = text().toLowerCase()
      headers[name] = text().replaceAll('\0', ', ')
    }
    return headers
  }
}
