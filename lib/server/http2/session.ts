import type { TLSSocket } from 'node:tls'
import type { Clock, Closable } from '../../base/index.ts'
import {
  defaultWindowBytes,
  errorCodes,
  goAway,
  ProtocolError,
  ReceiveWindow,
  resetFrame,
  StreamList,
  settings,
  settingsFrame,
  windowUpdate,
} from '../../http2/index.ts'
import type { BufferPool } from '../bufferpool.ts'
import type { Flusher } from '../flusher.ts'
import type { ServerOptions } from '../options.ts'
import { connectionWindowBytes, Receiver, type ReceiverHost } from './receiver.ts'

import type { RequestHead } from './requesthead.ts'
import { Sender } from './sender.ts'
import { SocketWriter } from './socketwriter.ts'
import { Http2Stream, type StreamHost } from './stream.ts'

/** Stream window: bytes of one body that a client may send before they are read. */
const streamWindowBytes = 256 * 1024
/**
 * Limit on queued bytes without flow control (headers of answers, acknowledgements) for a client that reads nothing.
 */
const uncontrolledBytesMax = 4 * 1024 * 1024
/** How long a client may take to read why its connection ends. */
const lingerMs = 500
/**
 * How long a client that has its answer may continue to send its body before it is reset. Some discard an answer
 * that they read together with the reset (curl 7.88), and most stop without it.
 */
const uploadMs = 100
/** A connection is retired some way before its stream ids run out (2^31). */
const streamIdMax = 2 ** 30

export interface SessionParts {
  readonly clock: Clock
  readonly options: ServerOptions
  readonly buffers: BufferPool
  readonly flusher: Flusher
  /** A request has arrived; its body may still be incomplete. */
  onStream(stream: Http2Stream, session: Http2Session): void
}

/**
 * The server's side of one HTTP/2 connection (RFC 9113): its streams, its start and its end. The receiver reads, the
 * sender writes. It uses no dynamic header table, no priorities and no pushes.
 */
export class Http2Session implements ReceiverHost, StreamHost {
  readonly socket: TLSSocket
  readonly remoteAddress: string
  readonly streams = new StreamList<Http2Stream>()
  /** The highest id of an opened stream. */
  lastOpened = 0
  /** It accepts no new streams. */
  leaving = false
  closed = false
  readonly #parts: SessionParts
  readonly #writer: SocketWriter
  readonly #sender: Sender
  readonly #receiver: Receiver
  #lingering: Closable | undefined

  constructor(socket: TLSSocket, parts: SessionParts) {
    this.socket = socket
    this.#parts = parts
    const { clock, options, buffers, flusher } = parts
    this.remoteAddress = socket.remoteAddress ?? ''
    // RFC 9113, section 9.2.1: the handshake's certificates apply to all streams.
    socket.disableRenegotiation()
    // TLS reports some errors, such as a renegotiation, without closing the socket.
    socket.on('error', () => socket.destroy())
    this.#writer = new SocketWriter(socket, buffers, flusher)
    this.#sender = new Sender(this.#writer)
    this.#receiver = new Receiver(this, this.#writer, this.#sender, clock, options)
    socket.on('data', (chunk: Buffer) => this.#onData(chunk))
    socket.on('drain', () => this.#sender.onDrain())
    socket.on('end', () => this.#onGone())
    socket.on('close', () => this.#onGone())
    this.#writer.put(
      settingsFrame([
        [settings.maxConcurrentStreams, options.http2StreamsMax],
        [settings.initialWindowSize, streamWindowBytes],
        [settings.maxHeaderListSize, options.headerBytesMax],
        [settings.enableConnectProtocol, 1],
      ]),
    )
    this.#writer.put(windowUpdate(0, connectionWindowBytes - defaultWindowBytes))
  }

  get pendingBytes(): number {
    return this.#writer.pendingBytes
  }

  /** A frame or header block has begun and not ended. */
  get amidHeaders(): boolean {
    return this.#receiver.amidHeaders
  }

  /** The client opens no new streams here; open ones finish, then the connection ends. */
  retire(): void {
    if (this.leaving || this.closed) return
    this.leaving = true
    this.#writer.put(goAway(this.lastOpened, errorCodes.noError))
    this.#endWhenDone()
  }

  /** Ends everything at once; the client sees that unfinished answers are incomplete. */
  destroy(code: number): void {
    if (this.closed) return
    for (const stream of this.streams.values()) stream.reset(errorCodes.cancel)
    this.#fail(code)
    this.socket.destroy()
  }

  #onData(chunk: Buffer): void {
    if (this.closed) return
    try {
      this.#receiver.push(chunk)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.#fail(error.code)
    }
    if (this.#writer.pendingBytes > uncontrolledBytesMax) this.destroy(errorCodes.enhanceYourCalm)
  }

  // Called by the receiver.

  open(id: number, head: RequestHead, ended: boolean): Http2Stream {
    this.lastOpened = id
    const { streamWindow: sendWindow } = this.#sender
    const receiveWindow = new ReceiveWindow(streamWindowBytes)
    const stream = new Http2Stream(this, id, head, { sendWindow, receiveWindow, ended })
    this.streams.add(stream)
    return stream
  }

  serve(stream: Http2Stream, refusal: number): void {
    if (refusal > 0) stream.respond([':status', String(refusal)], true)
    else this.#parts.onStream(stream, this)
    if (stream.id > streamIdMax) this.retire()
  }

  // Called by streams.

  sendHeaders(stream: Http2Stream, list: readonly string[], ends: boolean): void {
    this.#sender.headers(stream.id, list, ends)
  }

  push(stream: Http2Stream): void {
    this.#sender.push(stream)
  }

  sendReset(stream: Http2Stream, code: number): void {
    if (this.closed) return
    if (!stream.remoteEnded) this.#receiver.abandoned(stream.id)
    this.#writer.put(resetFrame(stream.id, code))
  }

  stopUpload(stream: Http2Stream): void {
    this.#parts.clock.after(uploadMs, () => stream.reset(errorCodes.noError))
  }

  consumed(stream: Http2Stream, bytes: number): void {
    this.#receiver.consumed(stream, bytes)
  }

  forget(stream: Http2Stream): void {
    this.streams.delete(stream.id)
    this.#sender.forget(stream)
    this.#endWhenDone()
  }

  // The end of the connection.

  #endWhenDone(): void {
    if (!this.leaving || this.streams.size > 0 || this.closed) return
    this.closed = true
    this.#writer.flush()
    this.socket.end(() => this.#linger())
  }

  /** Sends GOAWAY with the error, and ends the connection. */
  #fail(code: number): void {
    if (this.closed) return
    this.#writer.put(goAway(this.lastOpened, code))
    this.#writer.flush()
    this.#end()
    this.socket.end()
    this.#linger()
  }

  /** Gives the client a moment to read what was written: closing at once could reset the connection first. */
  #linger(): void {
    if (!this.socket.destroyed) this.#lingering = this.#parts.clock.after(lingerMs, () => this.socket.destroy())
  }

  /** The client has closed its side: nothing more can be sent. */
  #onGone(): void {
    void this.#lingering?.close()
    this.#end()
    this.socket.destroy()
  }

  #end(): void {
    this.closed = true
    for (const stream of this.streams.values()) stream.broken()
  }
}
