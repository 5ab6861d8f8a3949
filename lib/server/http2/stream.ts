import type { ReceiveWindow } from '../../http2/index.ts'
import { pieceBytes } from '../bufferpool.ts'
import { Collected } from '../collected.ts'
import { type BodySink, ignoredBody } from '../responder/responder.ts'
import type { RequestHead } from './requesthead.ts'
import { SendQueue } from './sendqueue.ts'

/** A stream's interface to its connection. */
export interface StreamHost {
  /** Writes a header block; `ends` makes it the stream's end. */
  sendHeaders(stream: Http2Stream, list: readonly string[], ends: boolean): void
  /** Sends what flow control allows of the stream's queue. */
  push(stream: Http2Stream): void
  sendReset(stream: Http2Stream, code: number): void
  /**
   * The client continues to send a body that will not be read: resets the stream after a while, unless it ends before.
   */
  stopUpload(stream: Http2Stream): void
  /** `bytes` of a body have been read or discarded. */
  consumed(stream: Http2Stream, bytes: number): void
  forget(stream: Http2Stream): void
}

/**
 * One request and its answer (RFC 9113, section 5.1). It is over when both sides have ended it or one has reset it; a
 * complete answer also ends a request whose body is incomplete.
 */
export class Http2Stream {
  readonly id: number
  readonly head: RequestHead
  /** The bytes of the body that the client may still send. */
  readonly receiveWindow: ReceiveWindow
  /** Negative after the client has made all windows smaller. */
  sendWindow: number
  /** The client has ended its side. */
  remoteEnded = false
  /** The request has no body. */
  readonly bodiless: boolean
  closed = false
  /** In the connection's list of streams that wait for a turn. */
  waiting = false
  readonly queue = new SendQueue()
  readonly #host: StreamHost
  /** Bytes of the declared content-length that are still to come; undefined without one. */
  #declaredLeft: number | undefined
  /** Body bytes received before `read`, or while paused. */
  #received: Collected | undefined
  #sink: BodySink | undefined
  /** The sink receives nothing until `resume`. */
  #paused = false
  #ending = false
  #ended = false
  #onDrain: (() => void) | undefined
  #onClose: (() => void)[] | undefined

  constructor(
    host: StreamHost,
    id: number,
    head: RequestHead,
    begin: { readonly sendWindow: number; readonly receiveWindow: ReceiveWindow; readonly ended: boolean },
  ) {
    this.#host = host
    this.id = id
    this.head = head
    this.sendWindow = begin.sendWindow
    this.receiveWindow = begin.receiveWindow
    this.bodiless = begin.ended
    const declared = head.headers['content-length']
    if (declared !== undefined) this.#declaredLeft = Number(declared)
  }

  // The answer.

  respond(list: readonly string[], ends = false): void {
    if (this.closed || this.#ending) return
    this.#host.sendHeaders(this, list, ends)
    if (!ends) return
    this.#ending = true
    this.ended()
  }

  /** False when the client is behind: wait for `onDrain`. */
  write(parts: readonly Uint8Array[]): boolean {
    if (this.closed || this.#ending) return true
    for (const part of parts) this.queue.put(part)
    this.#host.push(this)
    return this.queue.bytes < pieceBytes
  }

  /** The rest of the answer. */
  end(body: readonly Uint8Array[] = []): void {
    if (this.closed || this.#ending) return
    for (const chunk of body) this.queue.put(chunk)
    this.#ending = true
    if (!this.remoteEnded && this.#sink === undefined) this.#readAway()
    this.#host.push(this)
  }

  /** Nothing will be queued after what waits. */
  get ending(): boolean {
    return this.#ending
  }

  /** The whole answer has been sent. */
  get answered(): boolean {
    return this.#ended
  }

  /** The last frame of the answer has been written. */
  ended(): void {
    this.#ended = true
    // The client need not send a body that will not be read (RFC 9113, section 8.1).
    if (this.remoteEnded) this.#close()
    else this.#host.stopUpload(this)
  }

  /** Some queued bytes have been sent. */
  pushed(): void {
    const resume = this.#onDrain
    if (resume === undefined || this.queue.bytes > 0) return
    this.#onDrain = undefined
    queueMicrotask(resume)
  }

  /** Calls back once, when the queue is empty. */
  onDrain(resume: () => void): void {
    if (this.queue.bytes === 0) queueMicrotask(resume)
    else this.#onDrain = resume
  }

  /** Calls back once, when the stream is over, answered or not. */
  onClose(closed: () => void): void {
    if (this.closed) queueMicrotask(closed)
    else (this.#onClose ??= []).push(closed)
  }

  /** Resets the stream, so that the client sees an error. */
  reset(code: number): void {
    if (this.closed) return
    this.#host.sendReset(this, code)
    this.#close()
  }

  /** The client or the connection has ended the stream. */
  broken(): void {
    this.#close()
  }

  // The body.

  /** Part of the body; false when it exceeds the declared length. */
  receive(chunk: Uint8Array): boolean {
    if (this.#declaredLeft !== undefined) {
      this.#declaredLeft -= chunk.byteLength
      if (this.#declaredLeft < 0) return false
    }
    if (this.#sink !== undefined && !this.#paused) {
      this.#sink.onChunk(chunk)
      this.#host.consumed(this, chunk.byteLength)
    } else if (chunk.byteLength > 0) {
      this.#received ??= new Collected()
      this.#received.add(chunk)
    }
    return true
  }

  /** The client has sent the whole body; false when it is shorter than declared. */
  receiveEnd(): boolean {
    if (this.#declaredLeft !== undefined && this.#declaredLeft > 0) return false
    this.remoteEnded = true
    if (!this.#paused) this.#sink?.onEnd()
    if (this.#ended) this.#close()
    return true
  }

  /**
   * Passes the body to `sink` from its beginning; once. A stream that is over has no body left, even if it was received
   * as a whole.
   */
  read(sink: BodySink): void {
    if (this.closed || this.#sink !== undefined) return sink.onGone()
    this.#sink = sink
    this.#deliver(sink)
  }

  /** Passes on what has been received so far. */
  #deliver(sink: BodySink): void {
    const received = this.#received
    this.#received = undefined
    if (received !== undefined) {
      sink.onChunk(received.whole())
      this.#host.consumed(this, received.bytes)
    }
    if (this.remoteEnded && !this.#paused) sink.onEnd()
  }

  /** Withholds body bytes from the sink; they count against the client's window until `resume`. */
  pause(): void {
    this.#paused = true
  }

  resume(): void {
    if (!this.#paused) return
    this.#paused = false
    if (this.#sink !== undefined && !this.closed) this.#deliver(this.#sink)
  }

  /** The answer is complete, but the client may read it only after it has sent its body. */
  #readAway(): void {
    this.#sink = ignoredBody
    if (this.#received !== undefined) this.#host.consumed(this, this.#received.bytes)
    this.#received = undefined
  }

  /** Discards the rest of the body. */
  stopReading(): void {
    this.#sink = ignoredBody
    this.resume()
  }

  #close(): void {
    if (this.closed) return
    this.closed = true
    this.queue.clear()
    if (this.#received !== undefined) this.#host.consumed(this, this.#received.bytes)
    this.#received = undefined
    this.#onDrain = undefined
    if (!this.remoteEnded || this.#paused) this.#sink?.onGone()
    this.#host.forget(this)
    const listeners = this.#onClose
    if (listeners === undefined) return
    this.#onClose = undefined
    queueMicrotask(() => {
      for (const listener of listeners) listener()
    })
  }
}
