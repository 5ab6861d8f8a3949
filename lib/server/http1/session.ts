import type { Socket } from 'node:net'
import type { Clock, Closable } from '../../base/index.ts'
import { statusErrors } from '../../object/index.ts'
import { pieceBytes } from '../bufferpool.ts'
import { encodeStatusAsJson } from '../errors.ts'
import type { Flusher } from '../flusher.ts'
import type { ServerOptions } from '../options.ts'
import { lingerMs } from '../responder/responder.ts'
import { type AnswerEnds, answerHead } from './answerhead.ts'
import { Exchange, type ExchangeHost } from './exchange.ts'
import { MalformedRequest } from './malformedrequest.ts'
import { Receiver, type ReceiverHost } from './receiver.ts'
import type { RequestHead } from './requesthead.ts'

/** How long a client that has closed its side may wait for its answer: it may be gone as well. */
const halfOpenMs = 500

export interface SessionParts {
  readonly clock: Clock
  readonly options: ServerOptions
  readonly flusher: Flusher
  readonly answerEnds: AnswerEnds
  /** A request has arrived; its body may still be incomplete. */
  onRequest(exchange: Exchange): void
}

/**
 * The server's side of one HTTP/1.1 connection (RFC 9112): one request at a time, its start and its end. Bytes behind a
 * request stay unread until that has been answered.
 */
export class Http1Session implements ReceiverHost, ExchangeHost {
  readonly socket: Socket
  readonly remoteAddress: string
  readonly answerEnds: AnswerEnds
  /** Nothing more is read as a request, and no answer begins. */
  closed = false
  readonly #parts: SessionParts
  readonly #receiver: Receiver
  /** The request that is being received or answered. */
  #exchange: Exchange | undefined
  /** Its handler has not been called yet. */
  #isNew = false
  /** The receiver is at work: it can't begin the next request. */
  #isReading = false
  /** The request in progress is the last. */
  #leaving = false
  /** The client has closed its side. */
  #halfClosed = false
  #paused = false
  /** The connection belongs to another protocol. */
  #detached = false
  /** The end of a client that has closed its side, or is to close it. */
  #ending: Closable | undefined
  /** Requests that have begun. */
  #requests = 0
  /** Waits for the end of the turn of the event loop. */
  #unwritten = ''
  /** The state at the last sweep, and since when it has been so. */
  #seen = ''
  #seenSinceMs = 0

  constructor(socket: Socket, parts: SessionParts) {
    this.socket = socket
    this.#parts = parts
    this.answerEnds = parts.answerEnds
    this.remoteAddress = socket.remoteAddress ?? ''
    this.#receiver = new Receiver(this, parts.options)
    // The answer may follow the end of the client's side.
    socket.allowHalfOpen = true
    // TLS reports some errors, such as a renegotiation, without closing the socket.
    socket.on('error', () => socket.destroy())
    socket.on('data', this.#onData)
    socket.on('end', this.#onEnded)
    socket.on('close', () => this.#onClosed())
  }

  /** Bytes that wait to be written, or for the client to read them. */
  get pendingBytes(): number {
    return this.#unwritten.length + this.socket.writableLength
  }

  /** The client sends later requests elsewhere. A connection that has not been used yet serves one. */
  retire(): void {
    if (this.#leaving || this.closed) return
    this.#leaving = true
    if (this.#exchange === undefined && this.#requests > 0 && !this.#receiver.amidHead && !this.#receiver.holds)
      this.#end()
  }

  /** Ends everything at once; the client sees that an unfinished answer is incomplete. */
  destroy(): void {
    this.closed = true
    this.#exchange?.broken()
    this.socket.destroy()
  }

  /** Ends a connection that is idle, or whose request doesn't get on. Called now and then. */
  sweep(nowMs: number): void {
    if (this.closed || this.#detached) return
    const state = this.#state
    const seen = `${state} ${this.#requests}`
    if (seen !== this.#seen) {
      this.#seen = seen
      this.#seenSinceMs = nowMs
    }
    const { headersTimeoutMs, requestTimeoutMs, idleTimeoutMs } = this.#parts.options
    const forMs = nowMs - this.#seenSinceMs
    if (state === 'idle' && forMs >= idleTimeoutMs) this.#end()
    else if (state === 'unused' && forMs >= headersTimeoutMs) this.#end()
    else if (state === 'head' && forMs >= headersTimeoutMs) this.#refuse(408)
    // Later than any deadline, so that it only ends requests after their timeout.
    else if (state === 'body' && forMs >= requestTimeoutMs + headersTimeoutMs) this.#refuse(408)
  }

  get #state(): 'unused' | 'idle' | 'head' | 'body' | 'busy' {
    if (this.#receiver.amidHead) return 'head'
    const exchange = this.#exchange
    if (exchange === undefined) return this.#receiver.holds ? 'busy' : this.#requests === 0 ? 'unused' : 'idle'
    return exchange.incoming?.complete === false ? 'body' : 'busy'
  }

  #onData = (chunk: Buffer): void => {
    // Bytes after the last answer are read and dropped, so that the client can read that, too.
    if (this.closed) return
    this.#read(chunk)
  }

  /** Reads what comes, or without that the request behind the last one. */
  #read(chunk?: Buffer): void {
    this.#isReading = true
    try {
      if (chunk === undefined) this.#receiver.next()
      else this.#receiver.push(chunk)
    } catch (error) {
      if (!(error instanceof MalformedRequest)) throw error
      return this.#refuse(error.status)
    } finally {
      this.#isReading = false
    }
    if (this.#receiver.holds) this.#pause()
    const exchange = this.#exchange
    if (exchange === undefined) return
    if (this.#isNew) {
      this.#isNew = false
      this.#parts.onRequest(exchange)
    } else if (exchange.answered) this.#goOn(exchange)
  }

  // Called by the receiver.

  onHead(head: RequestHead): void {
    this.#requests++
    this.#isNew = true
    this.#exchange = new Exchange(this, head)
  }

  onBody(chunk: Uint8Array): void {
    const body = this.#exchange?.incoming
    if (body === undefined) return
    body.receive(chunk)
    if (body.waitingBytes > pieceBytes) this.#pause()
  }

  onEnd(): void {
    this.#exchange?.incoming?.receiveEnd()
  }

  // Called by the exchange.

  get keepsAlive(): boolean {
    return !this.#leaving && !this.#receiver.holdsMalformed
  }

  write(text: string): void {
    if (this.#unwritten === '') this.#parts.flusher.add(this)
    this.#unwritten += text
  }

  flush(): void {
    const text = this.#unwritten
    if (text === '') return
    this.#unwritten = ''
    if (!this.socket.destroyed) this.socket.write(text, 'latin1')
  }

  answered(exchange: Exchange): void {
    if (!exchange.keepsAlive) this.#end()
    else if (!this.#isReading) this.#goOn(exchange)
  }

  readMore(): void {
    if (this.#paused && !this.#receiver.holds && (this.#exchange?.incoming?.waitingBytes ?? 0) <= pieceBytes)
      this.#resume()
  }

  detach(): Socket {
    const { socket } = this
    this.#detached = true
    socket.pause()
    socket.off('data', this.#onData)
    socket.off('end', this.#onEnded)
    socket.allowHalfOpen = false
    const held = this.#receiver.takeHeld()
    if (held.length > 0) socket.unshift(held)
    // As before the first listener, so that the next one starts it.
    Object.assign(socket, { readableFlowing: null })
    if (this.#halfClosed) this.destroy()
    return socket
  }

  /** Reads the next request, unless the rest of the body of an answered one has to be discarded first. */
  #goOn(exchange: Exchange): void {
    if (this.closed || exchange.incoming?.complete === false) return
    this.#exchange = undefined
    if (this.#halfClosed && !this.#receiver.holds) return this.#end()
    // A client that asks and reads nothing gets no more answers.
    if (this.socket.writableNeedDrain) this.socket.once('drain', () => this.#next())
    // Those that have come already take a turn each, so that many of them don't keep others waiting.
    else if (this.#receiver.holds) this.#parts.clock.soon(() => this.#next())
    else this.#next()
  }

  #next(): void {
    if (this.closed) return
    this.#read()
    if (!this.#receiver.holds) this.#resume()
  }

  #pause(): void {
    this.#paused = true
    this.socket.pause()
  }

  #resume(): void {
    if (!this.#paused) return
    this.#paused = false
    this.socket.resume()
  }

  // The end of the connection.

  /** Answers what is no request. */
  #refuse(status: number): void {
    const exchange = this.#exchange
    // Nothing can be sent behind an answer, or the beginning of one.
    if (exchange?.answered === true) return this.#end()
    if (exchange?.begun === true) return this.destroy()
    this.#isNew = false
    exchange?.broken()
    this.write(refusal(status, this.answerEnds))
    this.#end()
  }

  /** Ends the connection behind what has been written. */
  #end(): void {
    this.closed = true
    this.#exchange?.incoming?.broken()
    this.#exchange = undefined
    this.#resume()
    this.flush()
    // Closing at once could reset the connection before the client has read the answer.
    this.socket.end(() => {
      if (this.socket.destroyed) return
      void this.#ending?.close()
      this.#ending = this.#parts.clock.after(lingerMs, () => this.destroy())
    })
  }

  /** The client has closed its side. It may still read the answer to its last request, or be gone. */
  #onEnded = (): void => {
    const exchange = this.#exchange
    if (this.closed) return
    if (exchange === undefined || exchange.answered) return this.#end()
    if (exchange.isStreaming || exchange.incoming?.complete === false) return this.destroy()
    this.#leaving = true
    this.#halfClosed = true
    this.#ending = this.#parts.clock.after(halfOpenMs, () => {
      if (this.#exchange?.begun !== true) this.destroy()
    })
  }

  #onClosed(): void {
    void this.#ending?.close()
    this.closed = true
    this.#exchange?.broken()
  }
}

function refusal(status: number, ends: AnswerEnds): string {
  if (status !== 405) return answerHead(status, ['content-length', '0']) + ends.of(false)
  const { contentType, body } = encodeStatusAsJson(statusErrors.methodNotAllowed().toStatus(), undefined, false)
  const list = ['content-type', contentType, 'content-length', String(body.byteLength)]
  return answerHead(status, list) + ends.of(false) + Buffer.from(body).toString('latin1')
}
