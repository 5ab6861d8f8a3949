import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex, Writable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { assert } from '../../base/index.ts'
import type { ResponseHeaders, ResponseStream } from '../../request/index.ts'
import { pieceBytes } from '../bufferpool.ts'
import type { ServerCall } from '../call.ts'
import { chunkMargin, chunkOf, framedPiece } from './chunks.ts'
import { closedStream } from './closed.ts'
import { gzipHeaders, wantsGzip, writeGzip } from './gzip.ts'
import { headerList } from './headers.ts'
import {
  addPieces,
  bodyLength,
  chunksOf,
  copiesOf,
  counted,
  joined,
  type Piece,
  pieces,
  writePieces,
} from './pieces.ts'
import {
  type BodySink,
  type BodySource,
  ignoredBody,
  lingerBytesMax,
  lingerMs,
  type ServerResponder,
} from './responder.ts'

/** How many listeners a handler may add to an upgraded connection without a warning. */
const upgradeListenersMax = 20

/**
 * Node joins the headers and a body that is a string, and writes both at once; a buffer is a second part. For
 * answers of 1 KB this saves a twentieth of a bare server's cost, for 2 KB nothing, and longer ones cost more.
 */
const latin1BytesMax = 1536

/** A connection whose request asks for another protocol. */
export interface RawConnection {
  readonly socket: Duplex
  /** Bytes that the client sent behind the request. */
  readonly head: Buffer
}

/** HTTP/1.1: one writeHead with all headers and one end. Streams are framed here, one write an event. */
export class Http1Responder implements ServerResponder, BodySource, ResponseStream {
  readonly httpVersion = '1.1'
  declare call: ServerCall
  status = 0
  bytesSent = 0
  streaming = false
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  #retire = false
  #sink: BodySink = ignoredBody
  /** Whether chunks are framed here: not for HTTP/1.0, whose answers end with the connection. */
  #framed = true

  /** Set when the client asks to upgrade: node no longer handles the connection. */
  readonly #raw: RawConnection | undefined
  #taken: Duplex | undefined

  constructor(request: IncomingMessage, response: ServerResponse, raw?: RawConnection) {
    this.#request = request
    this.#response = response
    this.#raw = raw
  }

  get remoteAddress(): string {
    return this.#request.socket.remoteAddress ?? ''
  }
  get socket(): TLSSocket {
    return this.#request.socket as TLSSocket // the listener accepts no others
  }
  get connection(): object {
    return this.#request.socket
  }
  get started(): boolean {
    return this.status !== 0
  }
  get gone(): boolean {
    return this.#response.destroyed && !this.complete
  }
  get complete(): boolean {
    return this.#response.writableEnded
  }
  get pendingBytes(): number {
    return this.#response.socket?.writableLength ?? 0
  }

  get rawHeaders(): readonly string[] {
    return this.#request.rawHeaders
  }

  // The request's body.
  get body(): BodySource {
    return this
  }
  read(sink: BodySink): void {
    const request = this.#request
    if (request.destroyed) return sink.onGone()
    this.#sink = sink
    request.on('data', (chunk: Uint8Array) => this.#sink.onChunk(chunk))
    request.on('end', () => this.#sink.onEnd())
    request.on('close', () => this.#sink.onGone())
    request.on('aborted', () => this.#sink.onGone())
  }
  stopReading(): void {
    this.#sink = ignoredBody
    if (!this.#request.readableEnded) this.#request.pause()
  }
  pause(): void {
    this.#request.pause()
  }
  resume(): void {
    this.#request.resume()
  }
  get empty(): boolean {
    const { headers } = this.#request
    return headers['transfer-encoding'] === undefined && (this.declaredBytes ?? 0) === 0
  }
  get declaredBytes(): number | undefined {
    const length = this.#request.headers['content-length']
    return length === undefined ? undefined : Number(length)
  }
  proceed(): void {
    // Node has answered `Expect: 100-continue` already.
  }

  send(status: number, headers: ResponseHeaders, body?: Uint8Array | readonly Uint8Array[]): void | Promise<void> {
    if (this.call.outcome.timedOut) return
    assert(this.status === 0, 'an answer was sent twice')
    this.status = status
    this.call.audit.sent(status, headers, body)
    const length = bodyLength(body)
    this.bytesSent = length
    const list = headerList(this.call, headers)
    const gzip = wantsGzip(this.call, status, headers, length)
    if (gzip) list.push(...gzipHeaders)
    else if (headers['content-length'] === undefined && status !== 204 && status !== 304) {
      list.push('content-length', String(length))
    }
    const early = this.#stillSending()
    if (this.#retire || early) list.push('connection', 'close')
    const response = this.#response
    response.writeHead(status, list)
    if (early) return this.#linger(body)
    if (body === undefined || length === 0) response.end()
    else if (length <= latin1BytesMax) response.end(latin1Of(joined(body)), 'latin1')
    else if (length <= pieceBytes) response.end(joined(body))
    else return gzip ? this.#sendGzip(chunksOf(body), true) : this.#sendPieces(chunksOf(body), length, true)
  }

  sendChunks(status: number, headers: ResponseHeaders, chunks: Iterable<Uint8Array>): void | Promise<void> {
    const isWanted = this.call.method !== 'HEAD' && !this.#stillSending()
    if (!isWanted || this.call.audit.keepsResponse)
      return copiesOf(chunks, this.call.clock).then((copies) => this.send(status, headers, copies))
    if (this.call.outcome.timedOut) return
    assert(this.status === 0, 'an answer was sent twice')
    this.status = status
    this.call.audit.sent(status, headers, undefined)
    const list = headerList(this.call, headers)
    const gzip = wantsGzip(this.call, status, headers, Infinity)
    if (gzip) list.push(...gzipHeaders)
    else if (this.#request.httpVersionMinor >= 1) list.push('transfer-encoding', 'chunked')
    if (this.#retire) list.push('connection', 'close')
    const response = this.#response
    response.writeHead(status, list)
    const body = counted(chunks, this)
    if (gzip) return this.#sendGzip(body, false)
    const { socket } = response
    // An HTTP/1.0 answer ends with the connection. After another answer on the same connection Node has to queue.
    if (this.#request.httpVersionMinor < 1 || socket === null) return this.#sendPieces(body, Infinity, false)
    response.flushHeaders()
    return this.#sendFramed(socket, body)
  }

  /** Writes frames into the pieces: Node would copy each piece together with its frame. */
  async #sendFramed(socket: Writable, chunks: Iterable<Uint8Array>): Promise<void> {
    const { buffers, clock } = this.call.services
    const body = pieces(chunks, Infinity, (bytes) => buffers.take(bytes), chunkMargin)
    if (await writePieces(socket, framed(body), buffers, clock)) this.#response.end()
  }

  async #sendPieces(chunks: Iterable<Uint8Array>, length: number, lasting: boolean): Promise<void> {
    const { buffers, clock } = this.call.services
    const body = pieces(chunks, length, (bytes) => buffers.take(bytes), { lasting })
    if (await writePieces(this.#response, body, buffers, clock)) this.#response.end()
  }

  async #sendGzip(chunks: Iterable<Uint8Array>, lasting: boolean): Promise<void> {
    await writeGzip(this.#response, chunks, this.call.clock, { lasting })
  }

  /** The client is still sending a body that will not be read and is too long to discard. */
  #stillSending(): boolean {
    if (this.empty || this.#request.complete) return false
    return (this.declaredBytes ?? Infinity) > lingerBytesMax
  }

  /**
   * Answers, and reads for a moment what the client still sends before closing: closing at once would reset the
   * connection, and the client would see the reset instead of the answer.
   */
  #linger(body: Uint8Array | readonly Uint8Array[] | undefined): void {
    const request = this.#request
    const response = this.#response
    if (body !== undefined && bodyLength(body) > 0) response.write(joined(body))
    else response.flushHeaders()
    const finish = (): void => {
      void timer.close()
      response.end()
      request.socket?.destroySoon()
    }
    const timer = this.call.clock.after(lingerMs, finish)
    request.once('end', finish)
    request.once('close', finish)
    request.resume()
  }

  stream(status: number, headers: ResponseHeaders): ResponseStream {
    if (this.call.outcome.timedOut) return closedStream
    assert(this.status === 0, 'an answer was sent twice')
    this.status = status
    this.streaming = true
    this.call.audit.streaming(status)
    const list = headerList(this.call, headers)
    this.#framed = this.#request.httpVersionMinor >= 1
    if (this.#framed) list.push('transfer-encoding', 'chunked')
    if (this.#retire) list.push('connection', 'close')
    const response = this.#response
    response.writeHead(status, list)
    response.flushHeaders()
    response.on('close', () => {
      this.streaming = false
    })
    return this
  }

  get upgradeProtocol(): string {
    return this.#raw === undefined ? '' : (this.#request.headers['upgrade'] ?? '')
  }

  upgrade(headers: ResponseHeaders): Duplex {
    const raw = this.#raw
    assert(raw !== undefined && this.status === 0, 'nothing to upgrade')
    const { socket, head } = raw
    this.status = 101
    this.streaming = true
    this.call.audit.streaming(101)
    const response = this.#response
    const list = headerList(this.call, { upgrade: this.upgradeProtocol, ...headers, connection: 'Upgrade' })
    response.writeHead(101, list)
    response.flushHeaders()
    response.detachSocket(socket as TLSSocket) // the same socket that it was assigned
    this.#taken = socket
    // For the server's own listeners, those of the call, and the handler's.
    socket.setMaxListeners(socket.getMaxListeners() + upgradeListenersMax)
    socket.once('close', () => {
      this.streaming = false
      response.emit('close') // for listeners that were added before
    })
    if (head.length > 0) socket.unshift(head)
    return socket
  }

  write(chunk: Uint8Array | readonly Uint8Array[]): boolean {
    const length = bodyLength(chunk)
    // An empty chunk would end the stream.
    if (!this.streaming || length === 0) return true
    this.bytesSent += length
    const socket = this.#response.socket
    // After another answer on the same connection (pipelining) Node has to queue.
    if (!this.#framed || socket === null) return this.#response.write(joined(chunk))
    const parts = chunk instanceof Uint8Array ? [chunk] : chunk
    const [whole] = parts
    if (whole !== undefined && parts.length === 1) return socket.write(this.call.services.chunkFrames.of(whole))
    return addPieces(socket, chunkOf(parts, length), this.call.services.buffers)
  }

  onDrain(resume: () => void): void {
    const target = this.#framed ? (this.#response.socket ?? this.#response) : this.#response
    if (target.writableLength === 0) queueMicrotask(resume)
    else target.once('drain', resume)
  }

  onClose(closed: () => void): void {
    const source = this.#taken ?? this.#response
    if (source.closed) queueMicrotask(closed)
    else source.on('close', closed)
  }

  end(): void {
    if (!this.streaming) return
    this.streaming = false
    this.#response.end()
  }

  abort(): void {
    this.fail()
  }

  fail(): void {
    this.streaming = false
    this.#taken?.destroy()
    this.#response.destroy()
    this.#request.destroy()
  }

  retire(): void {
    this.#retire = true
  }
}

/** A character for each byte: Node writes the same bytes again. */
function latin1Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
}

function* framed(body: Iterable<Piece>): Generator<Piece> {
  for (const piece of body) yield framedPiece(piece)
}
