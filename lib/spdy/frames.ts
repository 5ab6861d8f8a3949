export const controlTypes = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const

export const resetCodes = { protocolError: 1, invalidStream: 2, refused: 3, cancel: 5, internalError: 6 } as const

/** The flag of the last frame of one direction of a stream. */
export const finFlag = 1

const headBytes = 8
const controlBytesMax = 64 * 1024
const version = 3

export interface FrameSink {
  onControl(type: number, flags: number, payload: Buffer): void
  /** A data frame arrives in any number of parts. */
  onData(streamId: number, part: Buffer): void
  onFin(streamId: number): void
}

/** Splits bytes into frames. Throws for malformed frames of SPDY/3, and for control frames that are too long. */
export class SpdyFrameReader {
  readonly #sink: FrameSink
  /** The bytes received so far of a head or of a control frame. */
  readonly #parts: Buffer[] = []
  #partBytes = 0
  #wanted = headBytes
  #control: { readonly type: number; readonly flags: number } | undefined
  #data: { readonly streamId: number; readonly isLast: boolean; left: number } | undefined

  constructor(sink: FrameSink) {
    this.#sink = sink
  }

  push(chunk: Buffer): void {
    let rest = chunk
    while (rest.length > 0) rest = this.#data ? this.#passData(rest) : this.#collect(rest)
  }

  #passData(chunk: Buffer): Buffer {
    const data = this.#data
    if (!data) return chunk
    const part = chunk.subarray(0, data.left)
    data.left -= part.length
    if (part.length > 0) this.#sink.onData(data.streamId, part)
    if (data.left === 0) this.#endData()
    return chunk.subarray(part.length)
  }

  #endData(): void {
    const data = this.#data
    this.#data = undefined
    if (data?.isLast === true) this.#sink.onFin(data.streamId)
  }

  #collect(chunk: Buffer): Buffer {
    const part = chunk.subarray(0, this.#wanted - this.#partBytes)
    this.#parts.push(part)
    this.#partBytes += part.length
    if (this.#partBytes === this.#wanted) this.#complete()
    return chunk.subarray(part.length)
  }

  #complete(): void {
    const bytes = Buffer.concat(this.#parts)
    this.#parts.length = 0
    this.#partBytes = 0
    this.#wanted = headBytes
    const control = this.#control
    this.#control = undefined
    if (control) this.#sink.onControl(control.type, control.flags, bytes)
    else this.#begin(bytes)
  }

  #begin(head: Buffer): void {
    const word = head.readUInt32BE(0)
    const flags = head.readUInt8(4)
    const length = head.readUIntBE(5, 3)
    if (word < 0x80000000) {
      this.#data = { streamId: word, isLast: (flags & finFlag) !== 0, left: length }
      if (length === 0) this.#endData()
      return
    }
    if (((word >>> 16) & 0x7fff) !== version) throw new Error('a frame of another version of SPDY')
    if (length > controlBytesMax) throw new Error(`a control frame of more than ${controlBytesMax} bytes`)
    const type = word & 0xffff
    if (length === 0) return this.#sink.onControl(type, flags, Buffer.alloc(0))
    this.#control = { type, flags }
    this.#wanted = length
  }
}

export function controlFrame(type: number, flags: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt16BE(0x8000 + version, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt8(flags, 4)
  head.writeUIntBE(payload.length, 5, 3)
  return Buffer.concat([head, payload])
}

/** Without its payload, which follows. */
export function dataHead(streamId: number, flags: number, length: number): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(streamId, 0)
  head.writeUInt8(flags, 4)
  head.writeUIntBE(length, 5, 3)
  return head
}

export function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}
