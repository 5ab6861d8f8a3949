import { flags, frameBytesMax, frameHeadBytes, frames, unpadded } from './frame.ts'
import { decodeHeaders } from './hpack.ts'

/** Takes frames in order; payloads are views that are valid during the call only. */
export interface FrameHandler {
  /** Any frame but those of headers. */
  onFrame(type: number, flag: number, id: number, payload: Buffer): void
  /** `ends`: nothing follows on the stream. */
  onHeaders(id: number, headers: ReadonlyMap<string, string>, ends: boolean): void
}

interface HeaderBlock {
  readonly id: number
  readonly ends: boolean
  readonly parts: Buffer[]
  bytes: number
}

const headerBlockBytesMax = 1 << 20
/** Header blocks whose meaning is remembered; a server uses a handful. */
const blocksMax = 256
/** Longer ones aren't remembered. */
const blockBytesMax = 1024

/** Cuts what comes over a connection into frames, and puts headers together that come in several. */
export class FrameReader {
  readonly #known = new Map<string, ReadonlyMap<string, string>>()
  /** The beginning of a frame. */
  #rest: Buffer = Buffer.alloc(0)
  /** A header block of which more is to come. */
  #open: HeaderBlock | undefined

  /** Throws RangeError for what breaks the protocol. */
  push(chunk: Buffer, handler: FrameHandler): void {
    const input = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    let at = 0
    while (input.length - at >= frameHeadBytes) {
      const length = input.readUIntBE(at, 3)
      if (length > frameBytesMax) throw new RangeError('a frame is too long')
      const end = at + frameHeadBytes + length
      if (end > input.length) break
      const id = input.readUInt32BE(at + 5) & 0x7fffffff
      this.#onFrame(
        input.readUInt8(at + 3),
        input.readUInt8(at + 4),
        id,
        input.subarray(at + frameHeadBytes, end),
        handler,
      )
      at = end
    }
    this.#rest = at === input.length ? Buffer.alloc(0) : Buffer.from(input.subarray(at))
  }

  #onFrame(type: number, flag: number, id: number, payload: Buffer, handler: FrameHandler): void {
    if (this.#open && (type !== frames.continuation || this.#open.id !== id))
      throw new RangeError('a header block is interrupted')
    if (type === frames.headers) {
      const skipped = (flag & flags.priority) !== 0 ? 5 : 0
      const block = { id, ends: (flag & flags.endStream) !== 0, parts: [], bytes: 0 }
      this.#onPart(block, unpadded(flag, payload).subarray(skipped), flag, handler)
    } else if (type === frames.continuation) {
      if (!this.#open) throw new RangeError('a continuation of nothing')
      this.#onPart(this.#open, payload, flag, handler)
    } else handler.onFrame(type, flag, id, payload)
  }

  #onPart(block: HeaderBlock, part: Buffer, flag: number, handler: FrameHandler): void {
    block.bytes += part.length
    if (block.bytes > headerBlockBytesMax) throw new RangeError('a header block is too long')
    if ((flag & flags.endHeaders) === 0) {
      block.parts.push(Buffer.from(part))
      this.#open = block
      return
    }
    this.#open = undefined
    const whole = block.parts.length > 0 ? Buffer.concat([...block.parts, part]) : part
    handler.onHeaders(block.id, this.#decode(whole), block.ends)
  }

  /** Without a dynamic table equal blocks mean the same, and a server sends few different ones. */
  #decode(block: Buffer): ReadonlyMap<string, string> {
    const key = block.toString('latin1')
    let headers = this.#known.get(key)
    if (!headers) {
      headers = decodeHeaders(block)
      if (this.#known.size < blocksMax && block.length <= blockBytesMax) this.#known.set(key, headers)
    }
    return headers
  }
}
