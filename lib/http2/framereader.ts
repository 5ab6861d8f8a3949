import { flags, frameBytesMax, frameHeadBytes, frames } from './frame.ts'
import { errorCodes, ProtocolError } from './protocolerror.ts'

/**
 * Receives frames in order; payloads and blocks are views of the pushed chunks, and valid only as long as those are.
 */
export interface FrameHandler {
  /** Any frame except HEADERS and CONTINUATION, of known types or not; only its length has been checked. */
  onFrame(type: number, flag: number, id: number, payload: Buffer): void
  /** A complete header block without padding and priority; `flag` is that of the HEADERS frame. */
  onHeaderBlock(id: number, flag: number, block: Buffer): void
}

interface FrameReaderLimits {
  /** Maximum size of a header block, over all of its frames; default 1 MiB. */
  readonly headerBlockBytesMax?: number
  /**
   * Maximum number of CONTINUATION frames of a header block; default 1024. Empty ones are cheap to send and costly to
   * read.
   */
  readonly continuationsMax?: number
}

/** An incomplete header block. */
interface OpenBlock {
  readonly id: number
  readonly flag: number
  readonly parts: Buffer[]
  bytes: number
}

/** Offset of the type in a frame. */
const typeAt = 3
const nothing = Buffer.alloc(0)

/** Cuts the bytes of a connection into frames (RFC 9113, section 4), and joins header blocks of several frames. */
export class FrameReader {
  readonly #handler: FrameHandler
  readonly #headerBlockBytesMax: number
  readonly #continuationsMax: number
  /** Buffer for an incomplete frame: for its head until that is complete, then for all of it. */
  #held = nothing
  #heldBytes = 0
  #open: OpenBlock | undefined
  /** Set while frames are read, and after an error. */
  #reading = false

  constructor(handler: FrameHandler, limits: FrameReaderLimits = {}) {
    this.#handler = handler
    this.#headerBlockBytesMax = limits.headerBlockBytesMax ?? 1 << 20
    this.#continuationsMax = limits.continuationsMax ?? 1024
  }

  /** A header block is incomplete, or a frame that may begin one. */
  get amidHeaders(): boolean {
    if (this.#open !== undefined) return true
    return this.#heldBytes > 0 && (this.#heldBytes <= typeAt || this.#held[typeAt] === frames.headers)
  }

  /**
   * Throws ProtocolError for violations of the protocol (protocolError, frameSizeError) or of the limits
   * (enhanceYourCalm), and the handler's errors; nothing is read afterwards.
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

  /** Adds to the incomplete frame; returns how many bytes of the chunk that took. */
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

  /** Copies the beginning of a frame, as the rest may arrive much later. */
  #hold(chunk: Buffer, at: number): void {
    const known = chunk.length - at < frameHeadBytes ? 0 : payloadBytesOf(chunk, at)
    this.#held = Buffer.allocUnsafeSlow(frameHeadBytes + known)
    this.#fill(chunk, at)
  }

  /** Copies as much as fits, and returns how much that was. */
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

  /** RFC 9113, section 6.2: the padding's length, the priority, the block, the padding. */
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
    // All parts except the first are continuations, and this is one more.
    if (open.parts.length > this.#continuationsMax)
      throw new ProtocolError(errorCodes.enhanceYourCalm, 'a header block has too many frames')
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

/** Throws ProtocolError(frameSizeError) for a frame above the limit. */
function payloadBytesOf(source: Buffer, at: number): number {
  const bytes = source.readUIntBE(at, 3)
  if (bytes > frameBytesMax) throw new ProtocolError(errorCodes.frameSizeError, 'a frame is too long')
  return bytes
}
