import { DynamicTable } from './dynamictable.ts'
import { huffman } from './huffman.ts'
import { errorCodes, ProtocolError } from './protocolerror.ts'
import { staticNames, staticValues } from './statictable.ts'

/** Receives the headers of a block in order. Texts are latin1: a character a byte. They are not checked. */
export interface HeaderSink {
  onHeader(name: string, value: string): void
}

/** Largest integer accepted: far above any text's length or table index; four bytes after the first. */
const integerShiftMax = 21

/** Decodes the header blocks of one peer (RFC 7541): all of them, in order, as each may refer to earlier ones. */
export class HeaderDecoder {
  readonly #table: DynamicTable
  /** Position in the block. */
  #at = 0

  /**
   * `tableBytesMax`: the size that our SETTINGS allow the peer, 0 for no dynamic table. Only a client may choose
   * less than 4096: a server has its settings before it answers, while a client's first blocks may precede the server's.
   */
  constructor(tableBytesMax = 4096) {
    this.#table = new DynamicTable(tableBytesMax)
  }

  /**
   * Throws ProtocolError(compressionError) for a malformed block; errors of `take` pass through. After either, the
   * decoder must not be used again.
   */
  decode(block: Buffer, take: HeaderSink): void {
    this.#at = 0
    let begun = false
    while (this.#at < block.length) {
      const first = block[this.#at] ?? 0
      if (first >= 0x80) this.#onIndexed(block, take)
      else if (first >= 0x40) this.#onLiteral(block, 0x3f, true, take)
      else if (first < 0x20) this.#onLiteral(block, 0x0f, false, take)
      else if (begun) throw wrong('the table changes its size amid a block')
      else {
        if (!this.#table.resize(this.#integer(block, 0x1f))) throw wrong('the table gets too large')
        continue
      }
      begun = true
    }
  }

  /** RFC 7541, section 6.1. */
  #onIndexed(block: Buffer, take: HeaderSink): void {
    const index = this.#integer(block, 0x7f)
    const dynamic = index - staticNames.length
    if (dynamic >= 0) {
      if (dynamic >= this.#table.size) throw wrong(`no entry ${index}`)
      take.onHeader(this.#table.name(dynamic), this.#table.value(dynamic))
    } else {
      if (index === 0) throw wrong('no entry 0')
      take.onHeader(staticNames[index] ?? '', staticValues[index] ?? '')
    }
  }

  /** RFC 7541, section 6.2: with incremental indexing, without it, or never indexed. */
  #onLiteral(block: Buffer, indexMax: number, isIndexed: boolean, take: HeaderSink): void {
    const index = this.#integer(block, indexMax)
    const name = index === 0 ? this.#text(block) : this.#nameOf(index)
    const value = this.#text(block)
    if (isIndexed) this.#table.add(name, value)
    take.onHeader(name, value)
  }

  #nameOf(index: number): string {
    const dynamic = index - staticNames.length
    if (dynamic < 0) return staticNames[index] ?? ''
    if (dynamic >= this.#table.size) throw wrong(`no entry ${index}`)
    return this.#table.name(dynamic)
  }

  /** RFC 7541, section 5.1; `most`: the largest value that fits into the first byte. */
  #integer(block: Buffer, most: number): number {
    let value = (block[this.#at++] ?? 0) & most
    if (value < most) return value
    for (let shift = 0; shift <= integerShiftMax; shift += 7) {
      const next = block[this.#at++]
      if (next === undefined) throw wrong('a block is cut short')
      value += (next & 0x7f) << shift
      if (next < 0x80) return value
    }
    throw wrong('an integer is too long')
  }

  /** RFC 7541, section 5.2. */
  #text(block: Buffer): string {
    const first = block[this.#at]
    if (first === undefined) throw wrong('a block is cut short')
    const length = this.#integer(block, 0x7f)
    const start = this.#at
    const end = start + length
    if (end > block.length) throw wrong('a text is cut short')
    this.#at = end
    return first >= 0x80 ? huffman.decode(block, start, end) : block.toString('latin1', start, end)
  }
}

function wrong(message: string): ProtocolError {
  return new ProtocolError(errorCodes.compressionError, `hpack: ${message}`)
}
