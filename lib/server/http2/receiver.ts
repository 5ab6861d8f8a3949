import type { Clock } from '../../base/index.ts'
import {
  clientPreface,
  errorCodes,
  type FrameHandler,
  FrameReader,
  flags,
  frameOf,
  frames,
  HeaderDecoder,
  ProtocolError,
  ReceiveWindow,
  resetFrame,
  type StreamList,
  settingsAck,
  unpadded,
  windowMax,
  windowUpdate,
} from '../../http2/index.ts'
import type { ServerOptions } from '../options.ts'
import { AbuseLimits } from './abuselimits.ts'
import { readInitialWindow } from './clientsettings.ts'

import { HeadCollector, type RequestHead } from './requesthead.ts'
import type { Sender } from './sender.ts'
import type { SocketWriter } from './socketwriter.ts'
import type { Http2Stream } from './stream.ts'

/**
 * Connection window: bytes of all bodies that a client may send before they are read. Enough for 64 streams, so that a
 * few streams with busy handlers don't hold up the others.
 */
export const connectionWindowBytes = 16 * 1024 * 1024

const continuationsMax = 256

/** The receiver's interface to its session. */
export interface ReceiverHost {
  readonly streams: StreamList<Http2Stream>
  readonly closed: boolean
  /** The session accepts no new streams. */
  readonly leaving: boolean
  open(id: number, head: RequestHead, ended: boolean): Http2Stream
  /** Answers a request; `refusal` is the status for unacceptable headers, or 0. */
  serve(stream: Http2Stream, refusal: number): void
  retire(): void
}

/** Reads the client's frames by RFC 9113, sections 3.4 to 6 and 8, and within the limits. */
export class Receiver implements FrameHandler {
  readonly #host: ReceiverHost
  readonly #writer: SocketWriter
  readonly #sender: Sender
  readonly #reader: FrameReader
  readonly #decoder = new HeaderDecoder()
  readonly #head: HeadCollector
  readonly #limits: AbuseLimits
  readonly #window = new ReceiveWindow(connectionWindowBytes)
  readonly #streamsMax: number
  #prefaceLeft = clientPreface
  /** The client's SETTINGS have been received. */
  #greeted = false
  /** The highest stream id that the client has used. */
  #lastId = 0

  constructor(host: ReceiverHost, writer: SocketWriter, sender: Sender, clock: Clock, options: ServerOptions) {
    this.#host = host
    this.#writer = writer
    this.#sender = sender
    // A block is hardly ever longer than its decoded headers: a longer one could only be refused.
    this.#reader = new FrameReader(this, { headerBlockBytesMax: options.headerBytesMax, continuationsMax })
    this.#head = new HeadCollector(options)
    this.#limits = new AbuseLimits(clock, options)
    this.#streamsMax = options.http2StreamsMax
  }

  /** Throws ProtocolError for connection errors. */
  push(chunk: Buffer): void {
    this.#reader.push(this.#prefaceLeft.length === 0 ? chunk : this.#takePreface(chunk))
  }

  /** A frame or header block has begun and not ended. */
  get amidHeaders(): boolean {
    return !this.#greeted || this.#reader.amidHeaders
  }

  /** This side ends a stream before its client has. */
  abandoned(id: number): void {
    this.#limits.onAbandoned(id)
  }

  /** `bytes` of a body have been read or discarded. */
  consumed(stream: Http2Stream, bytes: number): void {
    this.#giveBack(bytes)
    // A stream that has been answered needs no larger window.
    if (stream.closed || stream.remoteEnded || stream.answered || bytes === 0) return
    const increment = stream.receiveWindow.release(bytes)
    if (increment > 0) this.#writer.put(windowUpdate(stream.id, increment))
  }

  /** Checks the connection preface. */
  #takePreface(chunk: Buffer): Buffer {
    const expected = this.#prefaceLeft.subarray(0, chunk.length)
    if (!expected.equals(chunk.subarray(0, expected.length))) throw broken('what came is no HTTP/2')
    this.#prefaceLeft = this.#prefaceLeft.subarray(expected.length)
    return chunk.subarray(expected.length)
  }

  onFrame(type: number, flag: number, id: number, payload: Buffer): void {
    if (this.#host.closed) return
    if (!this.#greeted && type !== frames.settings) throw broken('the first frame is not SETTINGS')
    if (type === frames.data) this.#onDataFrame(flag, id, payload)
    else if (type === frames.windowUpdate) this.#onWindowUpdate(id, payload)
    else if (type === frames.reset) this.#onReset(id, payload)
    else if (type === frames.settings) this.#onSettings(flag, id, payload)
    else if (type === frames.ping) this.#onPing(flag, id, payload)
    else if (type === frames.goAway) this.#onGoAway(id, payload)
    else if (type === frames.priority) this.#onPriority(id, payload)
    else if (type === frames.pushPromise) throw broken('a client promises nothing')
    else this.#limits.onIdleFrame()
  }

  onHeaderBlock(id: number, flag: number, block: Buffer): void {
    if (this.#host.closed) return
    if (!this.#greeted) throw broken('the first frame is not SETTINGS')
    if (id % 2 === 0) throw broken('clients open odd streams')
    // Even a refused request's block must pass the decoder, which keeps the header table.
    this.#head.begin()
    this.#decoder.decode(block, this.#head)
    const ends = (flag & flags.endStream) !== 0
    if (id > this.#lastId) this.#open(id, ends)
    else this.#onTrailers(id, ends)
  }

  #open(id: number, ended: boolean): void {
    this.#lastId = id
    // After GOAWAY the client knows that later streams were not processed, and retries on another connection.
    if (this.#host.leaving) return this.#limits.onAbandoned(id)
    if (this.#host.streams.size >= this.#streamsMax) return this.#refuse(id, errorCodes.refusedStream)
    const { refusal } = this.#head
    const head = refusal > 0 ? noHead : this.#head.head()
    if (head === undefined) return this.#refuse(id, errorCodes.protocolError)
    const stream = this.#host.open(id, head, ended)
    if (ended && !stream.receiveEnd()) return this.#fault(stream, errorCodes.protocolError)
    this.#host.serve(stream, refusal)
  }

  #onTrailers(id: number, ends: boolean): void {
    const stream = this.#host.streams.get(id)
    if (stream === undefined) return this.#limits.onLateFrame(id)
    if (stream.remoteEnded) return this.#fault(stream, errorCodes.streamClosed)
    if (!ends || !this.#head.trailers || !stream.receiveEnd()) this.#fault(stream, errorCodes.protocolError)
  }

  #onDataFrame(flag: number, id: number, payload: Buffer): void {
    this.#checkNotIdle(id)
    const { length } = payload
    if (!this.#window.take(length)) throw new ProtocolError(errorCodes.flowControlError, 'more than the window')
    const bytes = unpadded(flag, payload)
    const ends = (flag & flags.endStream) !== 0
    if (bytes.length === 0 && !ends) this.#limits.onIdleFrame()
    const stream = this.#host.streams.get(id)
    if (stream === undefined) {
      this.#giveBack(length)
      return this.#limits.onLateFrame(id)
    }
    if (stream.remoteEnded) {
      this.#giveBack(length)
      return this.#fault(stream, errorCodes.streamClosed)
    }
    if (!stream.receiveWindow.take(length)) {
      this.#giveBack(length)
      return this.#fault(stream, errorCodes.flowControlError)
    }
    this.consumed(stream, length - bytes.length)
    if (!stream.receive(bytes)) {
      this.#giveBack(bytes.length)
      return this.#fault(stream, errorCodes.protocolError)
    }
    if (ends && !stream.receiveEnd()) this.#fault(stream, errorCodes.protocolError)
  }

  #onWindowUpdate(id: number, payload: Buffer): void {
    checkLength(payload, 4)
    const increment = payload.readUInt32BE(0) & windowMax
    if (id === 0) {
      if (increment === 0) throw broken('a window that does not grow')
      return this.#sender.widen(increment)
    }
    this.#checkNotIdle(id)
    const stream = this.#host.streams.get(id)
    if (stream === undefined) return
    if (increment === 0) this.#fault(stream, errorCodes.protocolError)
    else if (!this.#sender.widenStream(stream, increment)) this.#fault(stream, errorCodes.flowControlError)
  }

  #onReset(id: number, payload: Buffer): void {
    checkLength(payload, 4)
    this.#checkNotIdle(id)
    this.#limits.onReset()
    this.#host.streams.get(id)?.broken()
  }

  #onSettings(flag: number, id: number, payload: Buffer): void {
    if (id !== 0) throw broken('SETTINGS on a stream')
    if ((flag & flags.ack) !== 0) return checkLength(payload, 0)
    this.#greeted = true
    this.#limits.onIdleFrame()
    const windowBytes = readInitialWindow(payload)
    // Nothing may be sent under the new settings before this acknowledgement (RFC 9113, section 6.5.3).
    this.#writer.put(settingsAck)
    if (windowBytes !== undefined) this.#sender.resizeStreams(windowBytes, this.#host.streams.values())
  }

  #onPing(flag: number, id: number, payload: Buffer): void {
    checkLength(payload, 8)
    if (id !== 0) throw broken('PING on a stream')
    if ((flag & flags.ack) !== 0) return
    this.#limits.onIdleFrame()
    this.#writer.put(frameOf(frames.ping, flags.ack, 0, payload))
  }

  #onGoAway(id: number, payload: Buffer): void {
    if (id !== 0) throw broken('GOAWAY on a stream')
    if (payload.length < 8) throw wrongLength()
    this.#limits.onIdleFrame()
    this.#host.retire()
  }

  #onPriority(id: number, payload: Buffer): void {
    if (id === 0) throw broken('PRIORITY without a stream')
    checkLength(payload, 5)
    this.#limits.onIdleFrame()
  }

  #checkNotIdle(id: number): void {
    if (id === 0 || id > this.#lastId || id % 2 === 0) throw broken('a frame of an invalid stream')
  }

  // Answers to clients' faults.

  /** Refuses a stream that was not opened. */
  #refuse(id: number, code: number): void {
    this.#limits.onReset()
    this.#limits.onAbandoned(id)
    this.#writer.put(resetFrame(id, code))
  }

  /** Ends a stream for its client's fault. */
  #fault(stream: Http2Stream, code: number): void {
    this.#limits.onReset()
    stream.reset(code)
  }

  /** Extends the connection's window. */
  #giveBack(bytes: number): void {
    const increment = this.#window.release(bytes)
    if (increment > 0 && !this.#host.closed) this.#writer.put(windowUpdate(0, increment))
  }
}

/** The head of a request that is refused for its headers. */
const noHead: RequestHead = { method: '', protocol: '', path: '', headers: {}, raw: [] }

function broken(why: string): ProtocolError {
  return new ProtocolError(errorCodes.protocolError, why)
}

function wrongLength(): ProtocolError {
  return new ProtocolError(errorCodes.frameSizeError, 'a frame of the wrong length')
}

function checkLength(payload: Buffer, bytes: number): void {
  if (payload.length !== bytes) throw wrongLength()
}
