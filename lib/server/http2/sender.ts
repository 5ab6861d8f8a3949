import {
  defaultWindowBytes,
  errorCodes,
  flags,
  frameBytesMax,
  frameHeadBytes,
  frames,
  headerBytesMax,
  ProtocolError,
  windowMax,
  writeHeaders,
} from '../../http2/index.ts'
import type { SocketWriter } from './socketwriter.ts'
import type { Http2Stream } from './stream.ts'

/**
 * Sends the streams' queues as far as the client's windows and the socket allow. Streams that the connection holds back
 * take turns of one writer's fill each.
 */
export class Sender {
  /** Initial send window of a stream, from the client's settings. */
  streamWindow = defaultWindowBytes
  readonly #writer: SocketWriter
  #window = defaultWindowBytes
  /** The client has been sent the table size 0 for our headers (RFC 7541, section 4.2). */
  #renounced = false
  /** Streams with queued data, in the order of their turns. */
  #waiting: Http2Stream[] = []

  constructor(writer: SocketWriter) {
    this.#writer = writer
  }

  /** Writes a header block, with CONTINUATION frames where one frame can't hold it. */
  headers(id: number, list: readonly string[], ends: boolean): void {
    const bytesMax = blockBytesMax(list)
    const flag = ends ? flags.endStream : 0
    if (bytesMax > frameBytesMax) return this.#longHeaders(id, list, flag)
    const at = this.#writer.reserve(frameHeadBytes + bytesMax)
    const { buffer } = this.#writer
    // Headers that can't be encoded must leave no bytes in the buffer.
    let end = at
    try {
      end = this.#writeBlock(list, buffer, at + frameHeadBytes)
    } finally {
      this.#writer.trim(end)
    }
    writeFrameHead(buffer, at, end - at - frameHeadBytes, frames.headers, flag | flags.endHeaders, id)
  }

  /** Sends what flow control allows of the stream's queue. */
  push(stream: Http2Stream): void {
    if (stream.waiting) return
    if (!this.#send(stream)) this.#wait(stream)
  }

  /** The stream is over and has nothing to send. */
  forget(stream: Http2Stream): void {
    if (!stream.waiting) return
    stream.waiting = false
    this.#waiting.splice(this.#waiting.indexOf(stream), 1)
  }

  /** The socket has drained. */
  onDrain(): void {
    this.#writer.congested = false
    this.#sendWaiting()
  }

  /** Extends the connection's window. Throws ProtocolError when it grows too large. */
  widen(increment: number): void {
    this.#window += increment
    if (this.#window > windowMax) throw tooWide()
    this.#sendWaiting()
  }

  /** Extends the stream's window; false when it grows too large. */
  widenStream(stream: Http2Stream, increment: number): boolean {
    stream.sendWindow += increment
    if (stream.sendWindow > windowMax) return false
    this.push(stream)
    return true
  }

  /** The client changes the initial window of its streams (RFC 9113, section 6.9.2). */
  resizeStreams(bytes: number, streams: readonly Http2Stream[]): void {
    const more = bytes - this.streamWindow
    this.streamWindow = bytes
    for (const stream of streams) {
      stream.sendWindow += more
      if (stream.sendWindow > windowMax) throw tooWide()
      if (more > 0) this.push(stream)
    }
  }

  #wait(stream: Http2Stream): void {
    stream.waiting = true
    this.#waiting.push(stream)
  }

  #sendWaiting(): void {
    for (let turns = this.#waiting.length; turns > 0; turns--) {
      if (this.#writer.congested || this.#window <= 0) return
      const stream = this.#waiting.shift()
      if (stream === undefined) return
      stream.waiting = false
      if (!this.#send(stream)) this.#wait(stream)
    }
  }

  /**
   * False when the connection's window or socket is full; data that the stream's own window holds back waits for an
   * update of it.
   */
  #send(stream: Http2Stream): boolean {
    const { queue } = stream
    while (queue.bytes > 0 && stream.sendWindow > 0) {
      if (this.#window <= 0 || this.#writer.congested) return false
      const length = Math.min(queue.bytes, stream.sendWindow, this.#window, frameBytesMax - frameHeadBytes)
      const ends = stream.ending && length === queue.bytes
      const at = this.#writer.reserve(frameHeadBytes + length)
      const { buffer } = this.#writer
      writeFrameHead(buffer, at, length, frames.data, ends ? flags.endStream : 0, stream.id)
      queue.take(buffer, at + frameHeadBytes, length)
      this.#window -= length
      stream.sendWindow -= length
      if (ends) stream.ended()
    }
    if (stream.closed || stream.answered || queue.bytes > 0) return true
    if (stream.ending) this.#endEmpty(stream)
    else stream.pushed()
    return true
  }

  /** Ends an answer whose data has all been sent, by an empty DATA frame. */
  #endEmpty(stream: Http2Stream): void {
    const at = this.#writer.reserve(frameHeadBytes)
    writeFrameHead(this.#writer.buffer, at, 0, frames.data, flags.endStream, stream.id)
    stream.ended()
  }

  #writeBlock(list: readonly string[], target: Buffer, at: number): number {
    if (this.#renounced) return writeHeaders(list, target, at)
    target[at] = noTable
    const end = writeHeaders(list, target, at + 1)
    this.#renounced = true
    return end
  }

  #longHeaders(id: number, list: readonly string[], flag: number): void {
    const whole = Buffer.alloc(blockBytesMax(list))
    const block = whole.subarray(0, this.#writeBlock(list, whole, 0))
    for (let from = 0; from < block.length; from += frameBytesMax) {
      const part = block.subarray(from, from + frameBytesMax)
      const last = from + frameBytesMax >= block.length ? flags.endHeaders : 0
      const at = this.#writer.reserve(frameHeadBytes + part.length)
      const { buffer } = this.#writer
      if (from === 0) writeFrameHead(buffer, at, part.length, frames.headers, flag | last, id)
      else writeFrameHead(buffer, at, part.length, frames.continuation, last, id)
      buffer.set(part, at + frameHeadBytes)
    }
  }
}

/** Sets the dynamic table's size to 0 (RFC 7541, section 6.3). */
const noTable = 0x20

function blockBytesMax(list: readonly string[]): number {
  return headerBytesMax(list) + 1
}

function writeFrameHead(buffer: Buffer, at: number, length: number, type: number, flag: number, id: number): void {
  buffer[at] = length >>> 16
  buffer[at + 1] = length >>> 8
  buffer[at + 2] = length
  buffer[at + 3] = type
  buffer[at + 4] = flag
  buffer.writeUInt32BE(id, at + 5)
}

function tooWide(): ProtocolError {
  return new ProtocolError(errorCodes.flowControlError, 'a window grows beyond its limit')
}
