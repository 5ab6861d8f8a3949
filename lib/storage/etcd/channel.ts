import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2'
import type { Clock } from '../../base/index.ts'
import { StoreError } from '../contract.ts'
import { Assembler } from './assembler.ts'
import { fromStatus, type GrpcFailure, grpcCodes, refused, unknown } from './failure.ts'

/** PEM content. */
export interface TlsOptions {
  ca?: string
  cert?: string
  key?: string
}

/** Takes what the server sends to one exchange. */
export interface ReplySink {
  /** A view that is valid during the call only. */
  onMessage(message: Buffer): void
  /** Some bytes of a message came that is not complete yet. */
  onPart(): void
  /** Once, at the end; nothing follows. */
  onEnd(failure: GrpcFailure | undefined): void
}

/** One gRPC call under way: a single request and reply, or a stream of both. */
export interface Exchange {
  write(frame: Buffer): void
  /** Ends it at once, with nothing more to the sink. */
  cancel(): void
}

/** A connection to one server. */
export interface Channel {
  readonly endpoint: string
  /** False once it is draining or gone. */
  readonly usable: boolean
  readonly inFlight: number
  /** `more`: the caller goes on writing. */
  open(path: string, frame: Buffer, more: boolean, sink: ReplySink): Exchange
  /** Called a few times a second: pings when the server has been silent, and breaks off when it stays so. */
  check(): void
  /** Lets what is under way end, and takes nothing new. */
  retire(): void
  /** Breaks off what is under way. */
  destroy(reason: string): void
}

export interface ChannelOptions {
  tls?: TlsOptions
  connectTimeoutMs: number
  /** A ping is sent after this long without a sign of life while calls are under way; etcd suffers one in 5 s. */
  keepAliveMs: number
  keepAliveTimeoutMs: number
}

/** Flow control windows: large enough that a list is not held up by round trips. */
const streamWindowBytes = 4 << 20
const connectionWindowBytes = 64 << 20
/** Megabytes that node lets a session hold before it refuses streams. */
const sessionMemoryMax = 4096

/** Resolves when the server can be used; rejects with Error. `onGone` is called when a channel that was stops being usable. */
export function connectChannel(
  clock: Clock,
  endpoint: string,
  options: ChannelOptions,
  onGone: (channel: Channel) => void,
): Promise<Channel> {
  const session = connect(endpoint, {
    ...options.tls,
    maxSessionMemory: sessionMemoryMax,
    settings: { enablePush: false, initialWindowSize: streamWindowBytes },
  })
  return new Promise((resolve, reject) => {
    const timer = clock.after(options.connectTimeoutMs, () => session.destroy(new Error('connecting took too long')))
    const fail = (error?: Error): void => {
      void timer.close()
      reject(error ?? new Error('the connection was closed'))
    }
    session.on('error', fail)
    session.once('close', fail)
    // The server's settings come after the handshake, so a listener that isn't etcd's or hangs is found out.
    session.once('remoteSettings', () => {
      void timer.close()
      session.off('error', fail)
      session.off('close', fail)
      session.setLocalWindowSize(connectionWindowBytes)
      resolve(new Http2Channel(clock, session, endpoint, options, onGone))
    })
  })
}

class Http2Channel implements Channel {
  readonly endpoint: string
  usable = true
  inFlight = 0
  readonly #clock: Clock
  readonly #session: ClientHttp2Session
  readonly #options: ChannelOptions
  readonly #headers = new Map<string, string[]>()
  readonly #onGone: (channel: Channel) => void
  #reason = 'the connection broke'
  #heard = true
  #heardAtMs: number
  #pingedAtMs: number | undefined

  constructor(
    clock: Clock,
    session: ClientHttp2Session,
    endpoint: string,
    options: ChannelOptions,
    onGone: (channel: Channel) => void,
  ) {
    this.#clock = clock
    this.#session = session
    this.endpoint = endpoint
    this.#options = options
    this.#onGone = onGone
    this.#heardAtMs = clock.monotonicMs()
    session.on('error', (error) => {
      this.#reason = error.message
    })
    session.on('goaway', () => this.#leave())
    session.on('close', () => this.#leave())
  }

  get reason(): string {
    return this.#reason
  }

  open(path: string, frame: Buffer, more: boolean, sink: ReplySink): Exchange {
    return new Http2Exchange(this, this.#session.request(this.#headersOf(path, more)), frame, more, sink)
  }

  heard(): void {
    this.#heard = true
  }

  check(): void {
    const now = this.#clock.monotonicMs()
    if (this.#heard || this.inFlight === 0) {
      this.#heard = false
      this.#heardAtMs = now
      this.#pingedAtMs = undefined
    } else if (this.#pingedAtMs !== undefined) {
      if (now - this.#pingedAtMs > this.#options.keepAliveTimeoutMs) this.destroy('the server went silent')
    } else if (now - this.#heardAtMs > this.#options.keepAliveMs) {
      this.#pingedAtMs = now
      this.#session.ping((error) => {
        if (!error) this.#heard = true
      })
    }
  }

  retire(): void {
    this.#leave()
    if (!this.#session.closed) this.#session.close()
  }

  destroy(reason: string): void {
    this.#reason = reason
    this.#leave()
    this.#session.destroy()
  }

  #leave(): void {
    if (!this.usable) return
    this.usable = false
    this.#onGone(this)
  }

  /** Made once per method: node copies them into the frame and changes nothing. */
  #headersOf(path: string, stream: boolean): string[] {
    let headers = this.#headers.get(path)
    if (!headers) {
      const { host, protocol } = new URL(this.endpoint)
      headers = [':method', 'POST', ':scheme', protocol.slice(0, -1), ':authority', host, ':path', path]
      headers.push('te', 'trailers', 'content-type', 'application/grpc')
      // A member that has lost its leader then ends the stream instead of being silent.
      if (stream) headers.push('hasleader', 'true')
      this.#headers.set(path, headers)
    }
    return headers
  }
}

class Http2Exchange implements Exchange {
  readonly #channel: Http2Channel
  readonly #stream: ClientHttp2Stream
  readonly #sink: ReplySink
  #assembler: Assembler | undefined
  #error: Error | undefined
  #ended = false

  constructor(channel: Http2Channel, stream: ClientHttp2Stream, frame: Buffer, more: boolean, sink: ReplySink) {
    this.#channel = channel
    this.#stream = stream
    this.#sink = sink
    channel.inFlight++
    stream.on('data', (chunk: Buffer) => this.#onData(chunk))
    // An error without a message comes as headers alone, otherwise the status follows the messages.
    stream.on('response', (headers) => this.#onHeaders(headers))
    stream.on('trailers', (headers) => this.#onHeaders(headers))
    stream.on('error', (error: Error) => {
      this.#error = error
    })
    stream.on('close', () => this.#onClose())
    if (more) stream.write(frame)
    else stream.end(frame)
  }

  write(frame: Buffer): void {
    if (!this.#ended) this.#stream.write(frame)
  }

  cancel(): void {
    if (this.#ended) return
    this.#ended = true
    this.#channel.inFlight--
    this.#stream.close(constants.NGHTTP2_CANCEL)
  }

  #onData(chunk: Buffer): void {
    this.#channel.heard()
    if (this.#ended) return
    try {
      if (!this.#assembler && chunk.length >= 5 && chunk.readUInt32BE(1) + 5 === chunk.length)
        this.#sink.onMessage(chunk.subarray(5))
      else this.#collect(chunk)
    } catch (error) {
      // What else is thrown is a bug of whoever takes the message, not a bad message.
      if (error instanceof StoreError) this.#end(unknown(error.message, grpcCodes.resourceExhausted))
      else if (error instanceof RangeError) this.#end(unknown(error.message, grpcCodes.internal))
      else throw error
      this.#stream.close(constants.NGHTTP2_CANCEL)
    }
  }

  #collect(chunk: Buffer): void {
    this.#assembler ??= new Assembler()
    this.#sink.onPart()
    this.#assembler.push(chunk, (message) => {
      if (!this.#ended) this.#sink.onMessage(message)
    })
  }

  #onHeaders(headers: IncomingHttpHeaders): void {
    this.#channel.heard()
    const status = headers['grpc-status']
    if (status !== undefined) {
      const code = Number(status)
      this.#end(code === 0 ? undefined : fromStatus(code, decodeMessage(headers['grpc-message'])))
    } else if (headers[':status'] !== undefined && Number(headers[':status']) !== 200)
      this.#end(unknown(`HTTP status ${Number(headers[':status'])}`))
  }

  #onClose(): void {
    // A server that refuses a stream, or goes away before it came to it, has not looked at the request.
    if (this.#stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) this.#end(refused('the stream was refused'))
    else this.#end(unknown(this.#error?.message ?? this.#channel.reason))
  }

  #end(failure: GrpcFailure | undefined): void {
    if (this.#ended) return
    this.#ended = true
    this.#channel.inFlight--
    this.#sink.onEnd(failure)
  }
}

/** grpc-message is percent-encoded. */
function decodeMessage(text: string | string[] | undefined): string {
  const message = String(text ?? '')
  try {
    return decodeURIComponent(message)
  } catch {
    return message
  }
}
