import { flags, frameBytesMax, frameHeadBytes, frames } from './frame.ts'
import { errorCodes, ProtocolError } from './protocolerror.ts'

/** Takes frames in order; payloads and blocks are views of what was pushed, and good for as long as that is. */
export interface FrameHandler {
  /** Any frame but HEADERS and CONTINUATION, of known types or not; nothing about it is checked but its length. */
  onFrame(type: number, flag: number, id: number, payload: Buffer): void
  /** A complete header block without padding and priority; `flag` is that of the HEADERS frame. */
  onHeaderBlock(id: number, flag: number, block: Buffer): void
}

interface FrameReaderLimits {
  /** Most bytes of one header block, over all of its frames; default 1 MiB. */
  readonly headerBlockBytesMax?: number
  /** Most CONTINUATION frames of one header block; default 1024. Empty ones are cheap to send and costly to read. */
  readonly continuationsMax?: number
}

/** A header block of which more is to come. */
interface OpenBlock {
  readonly id: number
  readonly flag: number
  readonly parts: Buffer[]
  bytes: number
}

/** Where in a frame its type is. */
const typeAt = 3
const nothing = Buffer.alloc(0)

/** Cuts what comes over a connection into frames (RFC 9113, section 4), and puts headers together that come in several. */
export class FrameReader {
  readonly #handler: FrameHandler
  readonly #headerBlockBytesMax: number
  readonly #continuationsMax: number
  /** Room for a frame that has begun: for its head while that is all that is known of it, then for all of it. */
  #held = nothing
  #heldBytes = 0
  #open: OpenBlock | undefined
  /** Set while frames are read, and for good by an error. */
  #reading = false

  constructor(handler: FrameHandler, limits: FrameReaderLimits = {}) {
    this.#handler = handler
    this.#headerBlockBytesMax = limits.headerBlockBytesMax ?? 1 << 20
    this.#continuationsMax = limits.continuationsMax ?? 1024
  }

  /** A header block is incomplete, or a frame that may turn out to begin one. */
  get amidHeaders(): boolean {
    if (this.#open !== undefined) return true
    return this.#heldBytes > 0 && (this.#heldBytes <= typeAt || this.#held[typeAt] === frames.headers)
  }

  /**
   * Reads on. Throws ProtocolError for what breaks the protocol (protocolError, frameSizeError) or goes too far
   * (enhanceYourCalm), and what the handler throws; nothing is read after either.
   */
  push(chunk: Buffer): void {
    if (this.#reading) return
    this.#reading = true
    let at = this.#heldBytes > 0 ? this.#complete(chunk) : 0
    while (chunk.length - at >= frameHeadBytes) {
      const end = at + frameHeadBytes + payloadBytesOf(chunk, at)
      if (end > chunk.length) break
      this.#onFrame(chunk, at, end)
      at = end
    }
    if (at < chunk.length) this.#hold(chunk, at)
    this.#reading = false
  }

  /** Adds to the frame that has begun; returns how much of the chunk that took. */
  #complete(chunk: Buffer): number {
    let at = 0
    if (this.#heldBytes < frameHeadBytes) {
      at = this.#fill(chunk, 0)
      if (this.#heldBytes < frameHeadBytes) return at
      const head = this.#held
      this.#held = Buffer.allocUnsafeSlow(frameHeadBytes + payloadBytesOf(head, 0))
      this.#held.set(head)
    }
    at += this.#fill(chunk, at)
    if (this.#heldBytes === this.#held.length) {
      const frame = this.#held
      this.#held = nothing
      this.#heldBytes = 0
      this.#onFrame(frame, 0, frame.length)
    }
    return at
  }

  /** Keeps the beginning of a frame, in memory of its own, as the rest may come much later. */
  #hold(chunk: Buffer, at: number): void {
    const known = chunk.length - at < frameHeadBytes ? 0 : payloadBytesOf(chunk, at)
    this.#held = Buffer.allocUnsafeSlow(frameHeadBytes + known)
    this.#fill(chunk, at)
  }

  /** Copies as much as there is and there is room for, and returns how much that was. */
  #fill(chunk: Buffer, at: number): number {
    const copied = chunk.copy(this.#held, this.#heldBytes, at)
    this.#heldBytes += copied
    return copied
  }

  #onFrame(source: Buffer, at: number, end: number): void {
    const type = source[at + typeAt] ?? 0
    const flag = source[at + 4] ?? 0
    const id = source.readUInt32BE(at + 5) & 0x7fffffff
    const start = at + frameHeadBytes
    if (this.#open && (type !== frames.continuation || this.#open.id !== id))
      throw new ProtocolError(errorCodes.protocolError, 'a header block is interrupted')
    if (type === frames.headers) this.#onHeaders(id, flag, source, start, end)
    else if (type === frames.continuation) this.#onContinuation(flag, source.subarray(start, end))
    else this.#handler.onFrame(type, flag, id, source.subarray(start, end))
  }

  /** RFC 9113, section 6.2: the padding's length, what is left of priorities, the block, the padding. */
  #onHeaders(id: number, flag: number, source: Buffer, start: number, end: number): void {
    if (id === 0) throw new ProtocolError(errorCodes.protocolError, 'headers of no stream')
    const isPadded = (flag & flags.padded) !== 0
    const from = start + (isPadded ? 1 : 0) + ((flag & flags.priority) !== 0 ? 5 : 0)
    if (from > end) throw new ProtocolError(errorCodes.frameSizeError, 'a HEADERS frame is too short')
    const to = isPadded ? end - (source[start] ?? 0) : end
    if (from > to) throw new ProtocolError(errorCodes.protocolError, 'a HEADERS frame is all padding')
    this.#checkBlockBytes(to - from)
    const part = source.subarray(from, to)
    if ((flag & flags.endHeaders) !== 0) this.#handler.onHeaderBlock(id, flag, part)
    else this.#open = { id, flag, parts: [Buffer.from(part)], bytes: part.length }
  }

  #onContinuation(flag: number, part: Buffer): void {
    const open = this.#open
    if (!open) throw new ProtocolError(errorCodes.protocolError, 'a continuation of nothing')
    open.bytes += part.length
    this.#checkBlockBytes(open.bytes)
    // All parts but the first are continuations, and this is one more.
    if (open.parts.length > this.#continuationsMax)
      throw new ProtocolError(errorCodes.enhanceYourCalm, 'a header block comes in too many frames')
    const ends = (flag & flags.endHeaders) !== 0
    open.parts.push(ends ? part : Buffer.from(part))
    if (!ends) return
    this.#open = undefined
    this.#handler.onHeaderBlock(open.id, open.flag, Buffer.concat(open.parts, open.bytes))
  }

  #checkBlockBytes(bytes: number): void {
    if (bytes > this.#headerBlockBytesMax)
      throw new ProtocolError(errorCodes.enhanceYourCalm, 'a header block is too long')
  }
}

/** Throws ProtocolError(frameSizeError) for a frame that is longer than we take. */
function payloadBytesOf(source: Buffer, at: number): number {
  const bytes = source.readUIntBE(at, 3)
  if (bytes > frameBytesMax) throw new ProtocolError(errorCodes.frameSizeError, 'a frame is too long')
  return bytes
}
