import { type Duplex, Writable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { assert, Pauses } from '../../base/index.ts'
import { errorCodes } from '../../http2/index.ts'
import type { ResponseHeaders, ResponseStream } from '../../request/index.ts'
import { pieceBytes } from '../bufferpool.ts'
import type { ServerCall } from '../call.ts'
import { ClientGone } from '../errors.ts'
import type { Http2Session } from '../http2/session.ts'
import type { Http2Stream } from '../http2/stream.ts'
import { tunnelOf } from '../http2/tunnel.ts'
import { closedStream } from './closed.ts'
import { gzipHeaders, wantsGzip, writeGzip } from './gzip.ts'
import { headerList } from './headers.ts'
import { bodyLength, chunksOf, copiesOf, counted, pieces } from './pieces.ts'
import type { BodySink, BodySource, ServerResponder } from './responder.ts'

/** One request over HTTP/2: a stream of its session. */
export class Http2Responder implements ServerResponder, BodySource, ResponseStream {
  readonly httpVersion = '2'
  declare call: ServerCall
  status = 0
  bytesSent = 0
  streaming = false
  readonly #stream: Http2Stream
  readonly #session: Http2Session
  /** The stream has the whole answer, and it is small. */
  #handedOver = false

  constructor(stream: Http2Stream, session: Http2Session) {
    this.#stream = stream
    this.#session = session
  }

  get remoteAddress(): string {
    return this.#session.remoteAddress
  }
  get socket(): TLSSocket {
    return this.#session.socket
  }
  get connection(): object {
    return this.#session
  }
  get rawHeaders(): readonly string[] {
    return this.#stream.head.raw
  }
  get started(): boolean {
    return this.status !== 0
  }
  get complete(): boolean {
    return this.#handedOver || this.#stream.answered
  }
  get gone(): boolean {
    return this.#stream.closed && !this.complete
  }
  get pendingBytes(): number {
    return this.#stream.queue.bytes
  }

  // The request's body.
  get body(): BodySource {
    return this
  }
  get empty(): boolean {
    return this.#stream.bodiless
  }
  get declaredBytes(): number | undefined {
    const length = this.#stream.head.headers['content-length']
    return length === undefined ? undefined : Number(length)
  }
  proceed(): void {
    if (this.#stream.head.headers['expect']?.toLowerCase() === '100-continue' && this.status === 0)
      this.#stream.respond([':status', '100'])
  }
  read(sink: BodySink): void {
    this.#stream.read(sink)
  }
  stopReading(): void {
    this.#stream.stopReading()
  }
  pause(): void {
    this.#stream.pause()
  }
  resume(): void {
    this.#stream.resume()
  }

  get upgradeProtocol(): string {
    return this.#stream.head.protocol
  }
  upgrade(headers: ResponseHeaders): Duplex {
    assert(this.upgradeProtocol !== '' && this.status === 0, 'nothing to upgrade')
    this.status = 200
    this.streaming = true
    this.call.audit.streaming(200)
    const stream = this.#stream
    const list = this.#head(200, headers)
    const at = list.indexOf('upgrade')
    if (at >= 0) list.splice(at, 2)
    stream.respond(list)
    stream.onClose(() => {
      this.streaming = false
    })
    return tunnelOf(stream)
  }

  send(status: number, headers: ResponseHeaders, body?: Uint8Array | readonly Uint8Array[]): void | Promise<void> {
    if (this.call.outcome.timedOut) return
    assert(this.status === 0, 'an answer was sent twice')
    this.status = status
    this.call.audit.sent(status, headers, body)
    const length = bodyLength(body)
    this.bytesSent = length
    const stream = this.#stream
    if (stream.closed) return
    const list = this.#head(status, headers)
    const gzip = wantsGzip(this.call, status, headers, length)
    if (gzip) list.push(...gzipHeaders)
    else if (headers['content-length'] === undefined && status !== 204 && status !== 304) {
      list.push('content-length', String(length))
    }
    if (body === undefined || length === 0 || this.call.method === 'HEAD') {
      this.#handedOver = true
      stream.respond(list, true)
      return
    }
    stream.respond(list)
    if (gzip) return this.#sendGzip(chunksOf(body), true)
    this.#handedOver = length <= pieceBytes
    stream.end(chunksOf(body))
    return this.#handedOver || stream.closed ? undefined : this.#over()
  }

  #over(): Promise<void> {
    return new Promise((resolve) => this.#stream.onClose(resolve))
  }

  sendChunks(status: number, headers: ResponseHeaders, chunks: Iterable<Uint8Array>): void | Promise<void> {
    if (this.call.method === 'HEAD' || this.call.audit.keepsResponse)
      return copiesOf(chunks, this.call.clock).then((copies) => this.send(status, headers, copies))
    if (this.call.outcome.timedOut) return
    assert(this.status === 0, 'an answer was sent twice')
    this.status = status
    this.call.audit.sent(status, headers, undefined)
    const stream = this.#stream
    if (stream.closed) return
    const gzip = wantsGzip(this.call, status, headers, Infinity)
    stream.respond(gzip ? [...this.#head(status, headers), ...gzipHeaders] : this.#head(status, headers))
    const body = counted(chunks, this)
    return gzip ? this.#sendGzip(body, false) : this.#sendPieces(body)
  }

  /** One piece at a time: its buffer is reused when the stream has copied it. */
  async #sendPieces(chunks: Iterable<Uint8Array>): Promise<void> {
    const { buffers, clock } = this.call.services
    const stream = this.#stream
    const pauses = new Pauses(clock)
    let settle: (() => void) | undefined
    stream.onClose(() => settle?.())
    // Making the first piece may take as long as any other.
    await pauses.pause()
    for (const { buffer, from, length } of pieces(chunks, Infinity, (bytes) => buffers.take(bytes))) {
      stream.write([buffer.subarray(from, from + length)])
      if (stream.queue.bytes > 0)
        await new Promise<void>((resolve) => {
          settle = resolve
          stream.onDrain(resolve)
        })
      buffers.give(buffer)
      if (stream.closed) return
      if (pauses.isDue) await pauses.pause()
    }
    stream.end()
    if (!stream.closed) await this.#over()
  }

  async #sendGzip(chunks: Iterable<Uint8Array>, lasting: boolean): Promise<void> {
    if (await writeGzip(writableOf(this.#stream), chunks, this.call.clock, { lasting })) await this.#over()
  }

  #head(status: number, headers: ResponseHeaders): string[] {
    const list = headerList(this.call, headers)
    list.unshift(':status', String(status))
    return list
  }

  stream(status: number, headers: ResponseHeaders): ResponseStream {
    if (this.call.outcome.timedOut || this.#stream.closed) return closedStream
    assert(this.status === 0, 'an answer was sent twice')
    this.status = status
    this.streaming = true
    this.call.audit.streaming(status)
    this.#stream.respond(this.#head(status, headers))
    this.#stream.onClose(() => {
      this.streaming = false
    })
    return this
  }

  write(chunk: Uint8Array | readonly Uint8Array[]): boolean {
    if (!this.streaming) return true
    this.bytesSent += bodyLength(chunk)
    return this.#stream.write(chunk instanceof Uint8Array ? [chunk] : chunk)
  }

  onDrain(resume: () => void): void {
    this.#stream.onDrain(resume)
  }

  onClose(closed: () => void): void {
    this.#stream.onClose(closed)
  }

  end(): void {
    if (!this.streaming) return
    this.streaming = false
    this.#handedOver = true
    this.#stream.end()
  }

  abort(): void {
    this.fail()
  }

  fail(): void {
    this.streaming = false
    this.#stream.reset(errorCodes.internalError)
  }

  retire(): void {
    this.#session.retire()
  }
}

/** The stream as a Writable for node's pipelines. */
function writableOf(stream: Http2Stream): Writable {
  const writable = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (stream.write([chunk])) done()
      else stream.onDrain(done)
    },
    final(done) {
      stream.end()
      done()
    },
  })
  stream.onClose(() => {
    if (!writable.writableFinished) writable.destroy(new ClientGone())
  })
  return writable
}
