import type { Socket } from 'node:net'
import { type Duplex, Writable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { assert } from '../../base/index.ts'
import type { ResponseHeaders, ResponseStream } from '../../request/index.ts'
import { pieceBytes } from '../bufferpool.ts'
import type { ServerCall } from '../call.ts'
import { ClientGone } from '../errors.ts'
import type { Exchange } from '../http1/exchange.ts'
import { chunkMargin, chunkOf, framedPiece, lastChunk } from './chunks.ts'
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
import type { BodySink, BodySource, ServerResponder } from './responder.ts'

/** How many listeners a handler may add to an upgraded connection without a warning. */
const upgradeListenersMax = 20

/** Up to this many bytes a body is written as one string with its head; a longer one is copied into a pooled buffer. */
const latin1BytesMax = 1536

/** One request over HTTP/1.1. Heads and small bodies are one write, streams one write an event. */
export class Http1Responder implements ServerResponder, BodySource, ResponseStream {
  readonly httpVersion = '1.1'
  declare call: ServerCall
  status = 0
  bytesSent = 0
  readonly #exchange: Exchange
  /** Whether chunks are framed: not for HTTP/1.0, whose answers end with the connection. */
  #framed = false
  /** The answer consists of its head. */
  #isBodiless = false

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  get remoteAddress(): string {
    return this.#exchange.host.remoteAddress
  }
  get socket(): TLSSocket | undefined {
    const socket: Socket & { readonly encrypted?: boolean } = this.#socket
    return socket.encrypted === true ? (socket as TLSSocket) : undefined // no other is encrypted
  }
  get #socket(): Socket {
    return this.#exchange.host.socket
  }
  get connection(): object {
    return this.#exchange.host
  }
  get rawHeaders(): readonly string[] {
    return this.#exchange.head.raw
  }
  get started(): boolean {
    return this.status !== 0
  }
  get streaming(): boolean {
    return this.#exchange.isStreaming && !this.#exchange.closed
  }
  get gone(): boolean {
    return this.#exchange.closed && !this.complete
  }
  get complete(): boolean {
    return this.#exchange.answered
  }
  get pendingBytes(): number {
    return this.#exchange.host.pendingBytes
  }

  // The request's body.
  get body(): BodySource {
    return this
  }
  get empty(): boolean {
    return this.#exchange.incoming === undefined
  }
  get declaredBytes(): number | undefined {
    const length = this.#exchange.head.headers['content-length']
    return length === undefined ? undefined : Number(length)
  }
  proceed(): void {
    this.#exchange.proceed()
  }
  read(sink: BodySink): void {
    this.#exchange.read(sink)
  }
  stopReading(): void {
    this.#exchange.stopReading()
  }
  pause(): void {
    this.#exchange.incoming?.pause()
  }
  resume(): void {
    this.#exchange.resume()
  }

  send(status: number, headers: ResponseHeaders, body?: Uint8Array | readonly Uint8Array[]): void | Promise<void> {
    if (this.call.outcome.timedOut) return
    assert(this.status === 0, 'an answer was sent twice')
    this.status = status
    this.call.audit.sent(status, headers, body)
    const length = bodyLength(body)
    this.bytesSent = length
    const exchange = this.#exchange
    if (exchange.closed) return
    const list = headerList(this.call, headers)
    const gzip = wantsGzip(this.call, status, headers, length)
    if (!gzip && headers['content-length'] === undefined && status !== 204 && status !== 304)
      list.push('content-length', String(length))
    if (body === undefined || length === 0 || this.#hasNoBody(status)) {
      if (gzip) list.push(...gzipHeaders)
      exchange.begin(status, list)
      return exchange.end()
    }
    if (gzip) {
      this.#begin(status, list, gzipHeaders)
      return this.#sendGzip(chunksOf(body), true)
    }
    if (length > pieceBytes) {
      exchange.begin(status, list)
      return this.#sendPieces(chunksOf(body), length)
    }
    this.#sendWhole(exchange.headOf(status, list), joined(body))
    exchange.end()
  }

  /** One write of head and body: the system's part of an answer costs more than all else. */
  #sendWhole(head: string, body: Uint8Array): void {
    const { host } = this.#exchange
    if (body.byteLength <= latin1BytesMax) return host.write(head + latin1Of(body))
    host.flush()
    const { buffers } = this.call.services
    const bytes = head.length + body.byteLength
    const buffer = buffers.take(bytes)
    buffer.write(head, 'latin1')
    buffer.set(body, head.length)
    host.socket.write(buffer.subarray(0, bytes), (error) => {
      if (!error) buffers.give(buffer)
    })
  }

  sendChunks(status: number, headers: ResponseHeaders, chunks: Iterable<Uint8Array>): void | Promise<void> {
    if (this.#hasNoBody(status) || this.call.audit.keepsResponse)
      return copiesOf(chunks, this.call.clock).then((copies) => this.send(status, headers, copies))
    if (this.call.outcome.timedOut) return
    assert(this.status === 0, 'an answer was sent twice')
    this.status = status
    this.call.audit.sent(status, headers, undefined)
    if (this.#exchange.closed) return
    const gzip = wantsGzip(this.call, status, headers, Infinity)
    this.#begin(status, headerList(this.call, headers), gzip ? gzipHeaders : [])
    const body = counted(chunks, this)
    return gzip ? this.#sendGzip(body, false) : this.#sendFramed(body)
  }

  #hasNoBody(status: number): boolean {
    return this.#exchange.isHead || status === 204 || status === 304
  }

  /** Begins an answer whose length is unknown. */
  #begin(status: number, list: string[], more: readonly string[] = []): void {
    const exchange = this.#exchange
    this.#isBodiless = this.#hasNoBody(status)
    this.#framed = !exchange.head.isOld
    list.push(...more)
    if (!this.#framed) exchange.keepsAlive = false
    else if (status !== 204 && status !== 304) list.push('transfer-encoding', 'chunked')
    exchange.begin(status, list)
  }

  /** Ends an answer whose length was unknown. */
  #end(): void {
    if (this.#framed && !this.#isBodiless && !this.#exchange.closed) this.#exchange.host.write(lastChunk)
    this.#exchange.end()
  }

  /** Writes frames into the pieces, so that each is one write. */
  async #sendFramed(chunks: Iterable<Uint8Array>): Promise<void> {
    const { buffers, clock } = this.call.services
    this.#exchange.host.flush()
    const body = pieces(chunks, Infinity, (bytes) => buffers.take(bytes), this.#framed ? chunkMargin : {})
    if (await writePieces(this.#socket, this.#framed ? framed(body) : body, buffers, clock)) this.#end()
  }

  async #sendPieces(chunks: Iterable<Uint8Array>, length: number): Promise<void> {
    const { buffers, clock } = this.call.services
    this.#exchange.host.flush()
    const body = pieces(chunks, length, (bytes) => buffers.take(bytes), { lasting: true })
    if (await writePieces(this.#socket, body, buffers, clock)) this.#exchange.end()
  }

  async #sendGzip(chunks: Iterable<Uint8Array>, lasting: boolean): Promise<void> {
    await writeGzip(this.#writable(), chunks, this.call.clock, { lasting })
  }

  /** The answer's body as a Writable for node's pipelines. */
  #writable(): Writable {
    const writable = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (this.#write([chunk])) done()
        else this.onDrain(done)
      },
      final: (done) => {
        this.#end()
        done()
      },
    })
    this.#exchange.onClose(() => {
      if (!writable.writableFinished) writable.destroy(new ClientGone())
    })
    return writable
  }

  stream(status: number, headers: ResponseHeaders): ResponseStream {
    if (this.call.outcome.timedOut || this.#exchange.closed) return closedStream
    assert(this.status === 0, 'an answer was sent twice')
    this.status = status
    this.#exchange.isStreaming = true
    this.call.audit.streaming(status)
    this.#begin(status, headerList(this.call, headers))
    return this
  }

  get upgradeProtocol(): string {
    return this.#exchange.head.upgrade
  }

  upgrade(headers: ResponseHeaders): Duplex {
    const exchange = this.#exchange
    assert(this.upgradeProtocol !== '' && this.status === 0, 'nothing to upgrade')
    this.status = 101
    exchange.isStreaming = true
    this.call.audit.streaming(101)
    const socket = exchange.upgrade(
      headerList(this.call, { upgrade: this.upgradeProtocol, ...headers, connection: 'Upgrade' }),
    )
    // For the server's own listeners, those of the call, and the handler's.
    socket.setMaxListeners(socket.getMaxListeners() + upgradeListenersMax)
    return socket
  }

  write(chunk: Uint8Array | readonly Uint8Array[]): boolean {
    if (!this.streaming) return true
    this.bytesSent += bodyLength(chunk)
    return this.#write(chunk)
  }

  #write(chunk: Uint8Array | readonly Uint8Array[]): boolean {
    const length = bodyLength(chunk)
    // An empty chunk would end the answer.
    if (length === 0 || this.#isBodiless || this.#exchange.closed) return true
    const socket = this.#socket
    const { chunkFrames, buffers } = this.call.services
    this.#exchange.host.flush()
    const parts = chunksOf(chunk)
    const [whole] = parts
    if (whole !== undefined && parts.length === 1) return socket.write(this.#framed ? chunkFrames.of(whole) : whole)
    return addPieces(socket, this.#framed ? chunkOf(parts, length) : parts, buffers)
  }

  onDrain(resume: () => void): void {
    const socket = this.#socket
    if (socket.writableLength === 0 || socket.destroyed) queueMicrotask(resume)
    else socket.once('drain', resume)
  }

  onClose(closed: () => void): void {
    this.#exchange.onClose(closed)
  }

  end(): void {
    if (this.streaming) this.#end()
  }

  abort(): void {
    this.fail()
  }

  fail(): void {
    this.#exchange.fail()
  }

  retire(): void {
    this.#exchange.keepsAlive = false
  }
}

/** A character for each byte: Node writes the same bytes again. */
function latin1Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
}

function* framed(body: Iterable<Piece>): Generator<Piece> {
  for (const piece of body) yield framedPiece(piece)
}
