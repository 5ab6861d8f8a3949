import { ChunkedBody } from './chunkedbody.ts'
import { MalformedRequest, malformed } from './malformedrequest.ts'
import { type HeadLimits, methodCharactersMax, parseRequestHead, type RequestHead } from './requesthead.ts'

/** The receiver's interface to its session. */
export interface ReceiverHost {
  /** A request has begun. */
  onHead(head: RequestHead): void
  /** Part of its body; the bytes stay as they are. */
  onBody(chunk: Uint8Array): void
  /** The request has been received as a whole. */
  onEnd(): void
}

const none: Buffer = Buffer.alloc(0)
const headEnd = '\r\n\r\n'
const carriageReturn = 0x0d
const lineFeed = 0x0a
/** The beginning of a request: a method, or a part of one. */
const beginning = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,31}(?: |$)/
/** First size of the buffer of a head that comes in parts. */
const partialBytesMin = 512

/**
 * Reads a client's requests by RFC 9112: bytes in, heads and bodies out. It stops behind each request until `next`, so
 * that nothing is read as a request before the one in front of it has been answered.
 */
export class Receiver {
  readonly #host: ReceiverHost
  readonly #limits: HeadLimits
  #part: 'head' | 'body' | 'behind' = 'head'
  /** The beginning of a head: the first `#partialBytes` of the buffer. */
  #partial = none
  #partialBytes = 0
  /** Bytes of the body that are still to come; unused for a chunked one. */
  #left = 0
  #chunked: ChunkedBody | undefined
  /** Bytes behind the request. */
  #held = none
  /** They can be requests, as far as they have come. */
  #isHeldChecked = false

  constructor(host: ReceiverHost, limits: HeadLimits) {
    this.#host = host
    this.#limits = limits
  }

  /** A head has begun and not ended. Some clients send an empty line behind a request, which begins none. */
  get amidHead(): boolean {
    return this.#partialBytes > afterEmptyLine(this.#partial)
  }

  /** Bytes have come that belong to a later request. */
  get holds(): boolean {
    return this.#held.length > 0
  }

  /** Throws MalformedRequest, after which nothing may be read any more. */
  push(input: Buffer): void {
    this.#isHeldChecked = false
    if (this.#part === 'behind') this.#hold(input)
    else this.#read(input)
  }

  /** Reads the next request, as far as it has come. Throws MalformedRequest. */
  next(): void {
    const held = this.#held
    this.#held = none
    this.#part = 'head'
    if (held.length > 0) this.#read(held)
  }

  /** Takes the bytes behind the request out: they belong to another protocol. */
  takeHeld(): Buffer {
    const held = this.#held
    this.#held = none
    return held
  }

  /** Whether the bytes behind the request can't be requests. They are read once for this. */
  get holdsMalformed(): boolean {
    if (this.#held.length === 0 || this.#isHeldChecked) return false
    const trial = new Receiver({ onHead() {}, onBody() {}, onEnd() {} }, this.#limits)
    try {
      for (trial.push(this.#held); trial.holds; ) trial.next()
      this.#isHeldChecked = true
      return false
    } catch (error) {
      if (error instanceof MalformedRequest) return true
      throw error
    }
  }

  #read(input: Buffer): void {
    let at = 0
    if (this.#part === 'head') at = this.#readHead(input)
    if (at < input.length && this.#part === 'body') at = this.#readBody(input, at)
    if (at < input.length && this.#part === 'behind') this.#hold(at === 0 ? input : input.subarray(at))
  }

  #hold(input: Buffer): void {
    this.#held = this.#held.length === 0 ? input : Buffer.concat([this.#held, input])
  }

  /** Returns the end of the head in `input`, or of the input where the head goes on. */
  #readHead(input: Buffer): number {
    if (this.#partialBytes > 0) return this.#continueHead(input)
    const start = afterEmptyLine(input)
    const end = input.indexOf(headEnd, start, 'latin1')
    if (end < 0) return this.#continueHead(input)
    if (end - start > this.#limits.headerBytesMax) throw tooLarge()
    this.#begin(input.toString('latin1', start, end))
    return end + headEnd.length
  }

  #continueHead(input: Buffer): number {
    const before = this.#partialBytes
    // A head that is too large is not collected, except for the bytes that may have its end.
    const bytes = Math.min(input.length, this.#limits.headerBytesMax + 2 * headEnd.length - before)
    this.#collect(input, bytes)
    const collected = this.#partial.subarray(0, this.#partialBytes)
    const start = afterEmptyLine(collected)
    const end = collected.indexOf(headEnd, Math.max(start, before - headEnd.length + 1), 'latin1')
    checkBeginning(collected, start)
    checkCharacters(collected, Math.max(0, before - 1), end < 0 ? collected.length : end + headEnd.length)
    if ((end < 0 ? collected.length : end) - start > this.#limits.headerBytesMax) throw tooLarge()
    if (end < 0) return input.length
    const text = collected.toString('latin1', start, end)
    this.#partial = none
    this.#partialBytes = 0
    this.#begin(text)
    return end + headEnd.length - before
  }

  #collect(input: Buffer, bytes: number): void {
    const total = this.#partialBytes + bytes
    if (total > this.#partial.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(partialBytesMin, this.#partialBytes * 2, total))
      this.#partial.copy(larger, 0, 0, this.#partialBytes)
      this.#partial = larger
    }
    input.copy(this.#partial, this.#partialBytes, 0, bytes)
    this.#partialBytes = total
  }

  #begin(text: string): void {
    const head = parseRequestHead(text, this.#limits)
    this.#left = head.bodyBytes ?? 0
    this.#chunked = head.bodyBytes === undefined ? new ChunkedBody(this.#limits) : undefined
    this.#part = head.bodyBytes === 0 ? 'behind' : 'body'
    this.#host.onHead(head)
    if (head.bodyBytes === 0) this.#host.onEnd()
  }

  #readBody(input: Buffer, start: number): number {
    const chunked = this.#chunked
    if (chunked !== undefined) {
      const end = chunked.push(input, start, (chunk) => this.#host.onBody(chunk))
      if (chunked.ended) this.#end()
      return end
    }
    const end = Math.min(input.length, start + this.#left)
    this.#left -= end - start
    this.#host.onBody(input.subarray(start, end))
    if (this.#left === 0) this.#end()
    return end
  }

  #end(): void {
    this.#chunked = undefined
    this.#part = 'behind'
    this.#host.onEnd()
  }
}

/** One empty line before a request is ignored (RFC 9112, section 2.2). */
function afterEmptyLine(input: Buffer): number {
  return input[0] === carriageReturn && input[1] === lineFeed ? 2 : 0
}

/** Refuses bytes early that don't begin as a request, as their sender may wait for the end of the connection. */
function checkBeginning(bytes: Buffer, start: number): void {
  const text = bytes.toString('latin1', start, start + methodCharactersMax + 1)
  const isEmptyLine = text === '' || (text === '\r' && start === 0)
  if (!isEmptyLine && !beginning.test(text)) throw malformed('no request line')
}

/** Refuses early what no head may contain, so that a client with other line ends needn't wait. */
function checkCharacters(bytes: Buffer, start: number, end: number): void {
  for (let at = start; at < end; at++) {
    const character = bytes[at] ?? 0
    if (character >= 0x20 && character !== 0x7f) continue
    const isBroken =
      character === lineFeed
        ? at === 0 || bytes[at - 1] !== carriageReturn
        : character === carriageReturn
          ? at + 1 < end && bytes[at + 1] !== lineFeed
          : character !== 0x09
    if (isBroken) throw malformed('control characters in a head')
  }
}

function tooLarge(): MalformedRequest {
  return new MalformedRequest(431, 'the head is too large')
}
