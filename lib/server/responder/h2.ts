import { constants, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { assert } from '../../base/index.ts'
import type { ResponseHeaders, ResponseStream } from '../../request/index.ts'
import type { ServerCall } from '../call.ts'
import { closedStream } from './closed.ts'
import { gzipHeaders, wantsGzip, writeGzip } from './gzip.ts'
import { headerList } from './headers.ts'
import { bodyLength, joined, writePieces } from './pieces.ts'
import { type BodySource, pieceBytes, type Transport } from './transport.ts'

const endAtOnce = { endStream: true }

/** HTTP/2 on the core stream: one respond and one end. */
export class Http2Transport implements Transport, BodySource, ResponseStream {
  readonly httpVersion = '2'
  declare call: ServerCall
  status = 0
  bytesSent = 0
  streaming = false
  complete = false
  readonly #stream: ServerHttp2Stream
  readonly #session: ServerHttp2Session
  readonly #headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]

  constructor(
    stream: ServerHttp2Stream,
    session: ServerHttp2Session,
    headers: IncomingHttpHeaders,
    rawHeaders: readonly string[],
  ) {
    this.#stream = stream
    this.#session = session
    this.#headers = headers
    this.rawHeaders = rawHeaders
  }

  get remoteAddress(): string {
    return this.#session.socket.remoteAddress ?? ''
  }
  get socket(): TLSSocket {
    return this.#session.socket as TLSSocket // the only kind that the listener accepts
  }
  get connection(): object {
    return this.#session
  }
  get started(): boolean {
    return this.status !== 0
  }
  get gone(): boolean {
    return this.#stream.destroyed && !this.complete
  }
  get pendingBytes(): number {
    return this.#stream.writableLength
  }

  // The request's body.
  get body(): BodySource {
    return this
  }
  get readable(): ServerHttp2Stream {
    return this.#stream
  }
  get empty(): boolean {
    return this.#stream.endAfterHeaders
  }
  get declaredBytes(): number | undefined {
    const length = this.#headers['content-length']
    return length === undefined ? undefined : Number(length)
  }
  proceed(): void {
    if (this.#headers.expect === '100-continue' && this.status === 0) this.#stream.additionalHeaders({ ':status': 100 })
  }

  send(status: number, headers: ResponseHeaders, body?: Uint8Array | readonly Uint8Array[]): void | Promise<void> {
    if (this.call.abandoned) return
    assert(this.status === 0, 'an answer was sent twice')
    this.status = status
    this.call.observer?.sent(status, headers, body)
    const length = bodyLength(body)
    this.bytesSent = length
    const stream = this.#stream
    if (stream.destroyed) return
    const list = this.#head(status, headers)
    const gzip = wantsGzip(this.call, status, headers, length)
    if (gzip) list.push(...gzipHeaders)
    else if (headers['content-length'] === undefined && status !== 204 && status !== 304) {
      list.push('content-length', String(length))
    }
    if (body === undefined || length === 0 || this.call.method === 'HEAD') {
      this.complete = true
      stream.respond(list, endAtOnce)
      this.#stopUpload()
      return
    }
    stream.respond(list)
    if (length <= pieceBytes) {
      this.complete = true
      stream.end(joined(body))
      this.#stopUpload()
      return
    }
    return gzip ? this.#sendGzip(body) : this.#sendPieces(body)
  }

  async #sendPieces(body: Uint8Array | readonly Uint8Array[]): Promise<void> {
    if (await writePieces(this.#stream, body, this.call.pieceBuffers)) {
      this.complete = true
      this.#stream.end()
    }
    this.#stopUpload()
  }

  async #sendGzip(body: Uint8Array | readonly Uint8Array[]): Promise<void> {
    this.complete = await writeGzip(this.#stream, body)
    this.#stopUpload()
  }

  /** The answer is complete, and what the client still sends will not be read (RFC 9113, 8.1). */
  #stopUpload(): void {
    const stream = this.#stream
    if (stream.endAfterHeaders || stream.readableEnded || stream.destroyed) return
    if (stream.writableFinished) stream.close(constants.NGHTTP2_NO_ERROR)
    else stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR))
  }

  #head(status: number, headers: ResponseHeaders): string[] {
    const list = headerList(this.call, headers)
    list.unshift(':status', String(status))
    return list
  }

  stream(status: number, headers: ResponseHeaders): ResponseStream {
    if (this.call.abandoned || this.#stream.destroyed) return closedStream
    assert(this.status === 0, 'an answer was sent twice')
    this.status = status
    this.streaming = true
    this.call.observer?.streaming(status)
    this.#stream.respond(this.#head(status, headers))
    this.#stream.once('close', () => {
      this.streaming = false
    })
    return this
  }

  write(chunk: Uint8Array): boolean {
    if (!this.streaming || this.#stream.destroyed) return true
    this.bytesSent += chunk.byteLength
    return this.#stream.write(chunk)
  }

  onDrain(resume: () => void): void {
    if (this.#stream.writableLength === 0) queueMicrotask(resume)
    else this.#stream.once('drain', resume)
  }

  onClose(closed: () => void): void {
    if (this.#stream.closed && this.#stream.destroyed) queueMicrotask(closed)
    else this.#stream.once('close', closed)
  }

  end(): void {
    if (!this.streaming) return
    this.streaming = false
    this.complete = true
    this.#stream.end()
  }

  abort(): void {
    this.fail()
  }

  fail(): void {
    this.streaming = false
    this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  }

  retire(): void {
    if (!this.#session.closed) this.#session.close()
  }
}
