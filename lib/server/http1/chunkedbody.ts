import { MalformedRequest, malformed } from './malformedrequest.ts'
import { type HeadLimits, readFields } from './requesthead.ts'

/** Limit on the bytes of all chunk extensions of a body. They are ignored. */
const extensionBytesMax = 16 * 1024
/** Size in at most 13 hexadecimal digits, behind zeros, and extensions (RFC 9112, section 7.1) without bad whitespace. */
const sizeLine =
  /^0{0,16}([0-9a-fA-F]{1,13})(?:;[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?:=(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+|"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"))?)*$/
const lineFeed = 0x0a
const carriageReturn = 0x0d
/** Trailers that say how long a message is must not come behind it. */
const framing = new Set(['content-length', 'transfer-encoding'])

/** Reads one body in the chunked transfer coding. Extensions and trailers are checked and dropped. */
export class ChunkedBody {
  /** The whole body has been read. */
  ended = false
  readonly #limits: HeadLimits
  /** The part that the next bytes belong to. */
  #part: 'size' | 'data' | 'end of data' | 'trailers' = 'size'
  /** Bytes of the chunk that are still to come, with the line end behind it where that comes next. */
  #left = 0
  /** The beginning of a line whose end is still to come. */
  #line = ''
  #extensionBytes = 0
  #trailers = ''

  constructor(limits: HeadLimits) {
    this.#limits = limits
  }

  /** Reads `input` from `start` on; returns the end of what belongs to the body. Throws MalformedRequest. */
  push(input: Buffer, start: number, onData: (chunk: Uint8Array) => void): number {
    let at = start
    while (at < input.length && !this.ended) {
      if (this.#part === 'data') {
        const end = Math.min(input.length, at + this.#left)
        this.#left -= end - at
        onData(input.subarray(at, end))
        at = end
        if (this.#left === 0) this.#part = 'end of data'
      } else at = this.#readLine(input, at)
    }
    return at
  }

  #readLine(input: Buffer, at: number): number {
    const found = input.indexOf(lineFeed, at)
    const end = found < 0 ? input.length : found
    const isTrailer = this.#part === 'trailers'
    const lengthMax = this.#part === 'end of data' ? 1 : isTrailer ? this.#limits.headerBytesMax : extensionBytesMax
    if (this.#line.length + end - at > lengthMax)
      throw isTrailer
        ? new MalformedRequest(431, 'trailers are too large')
        : this.#part === 'size'
          ? new MalformedRequest(413, 'chunk extensions are too large')
          : malformed('no end of line behind a chunk')
    this.#line += input.toString('latin1', at, end)
    if (found < 0) return end
    const line = this.#line
    this.#line = ''
    if (line.charCodeAt(line.length - 1) !== carriageReturn) throw malformed('a line end without CR')
    this.#takeLine(line.slice(0, -1))
    return end + 1
  }

  #takeLine(line: string): void {
    if (this.#part === 'size') this.#takeSize(line)
    else if (this.#part === 'trailers') this.#takeTrailer(line)
    else if (line !== '') throw malformed('no end of line behind a chunk')
    else this.#part = 'size'
  }

  #takeSize(line: string): void {
    const digits = sizeLine.exec(line)?.[1]
    if (digits === undefined) throw malformed('the size of a chunk is none')
    const semicolon = line.indexOf(';')
    this.#extensionBytes += semicolon < 0 ? 0 : line.length - semicolon
    if (this.#extensionBytes > extensionBytesMax) throw new MalformedRequest(413, 'chunk extensions are too large')
    this.#left = Number.parseInt(digits, 16)
    this.#part = this.#left > 0 ? 'data' : 'trailers'
  }

  #takeTrailer(line: string): void {
    if (line !== '') {
      if (this.#trailers.length + line.length > this.#limits.headerBytesMax)
        throw new MalformedRequest(431, 'trailers are too large')
      this.#trailers += this.#trailers === '' ? line : `\r\n${line}`
      return
    }
    this.ended = true
    readFields(this.#trailers, 0, this.#limits.headerCountMax, (name) => {
      if (framing.has(name.toLowerCase())) throw malformed(`${name} behind the body`)
    })
  }
}
