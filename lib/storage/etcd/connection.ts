import { connect as connectPlain } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { type Clock, networkErrorText } from '../../base/index.ts'
import {
  defaultWindowBytes,
  errorCodes,
  type FrameHandler,
  FrameReader,
  flags,
  frameBytesMax,
  frameOf,
  frames,
  resetFrame,
  StreamList,
  settings,
  settingsAck,
  unpadded,
  windowMax,
  windowUpdate,
} from '../../http2/index.ts'
import { clientTls } from '../../pki/index.ts'
import type { Channel, ChannelOptions, Exchange, ReplySink } from './channel.ts'
import { addressOf } from './endpoint.ts'
import { EtcdSocketWriter } from './etcdsocketwriter.ts'
import { type ExchangeHost, GrpcExchange } from './exchange.ts'
import { decodeMessage, fromStatus, type GrpcFailure, refused, unknown } from './failure.ts'
import { GrpcRequestHeaders } from './grpcrequestheaders.ts'
import { GrpcResponseHeaders } from './grpcresponseheaders.ts'
import { openingOf } from './opening.ts'

/** Flow control windows: large enough that a list doesn't wait for round trips. */
const streamWindowBytes = 4 << 20
const connectionWindowBytes = 64 << 20
/** Stream ids end at 2^31; the connection is replaced well before. */
const streamIdMax = 2 ** 30

/**
 * Connects to a server and resolves when it is usable; rejects with Error. `onGone` is called once it can't be used any
 * more. Uses the project's HTTP/2 over a plain socket: a small call costs a third of one through node:http2.
 */
export async function connectChannel(
  clock: Clock,
  endpoint: string,
  options: ChannelOptions,
  onGone: (channel: Channel) => void,
): Promise<Channel> {
  const { secure, target, name } = addressOf(endpoint)
  const isName = !/^[\d.]+$|:/.test(name)
  const through = 'host' in target ? await dialled(clock, target, options) : undefined
  const socket = secure
    ? connectTls({
        host: name,
        ...target,
        ...(through ? { socket: through } : {}),
        ...clientTls(options.tls ?? {}),
        ALPNProtocols: ['h2'],
        ...(isName ? { servername: name } : {}),
      })
    : (through ?? connectPlain(target))
  if ('setNoDelay' in socket) socket.setNoDelay()
  return await new Promise((resolve, reject) => {
    const timer = clock.after(options.connectTimeoutMs, () => channel.destroy('connecting took too long'))
    const channel = new Connection(clock, socket, endpoint, options, {
      onReady() {
        void timer.close()
        resolve(channel)
      },
      onGone(reason) {
        void timer.close()
        reject(new Error(reason))
        onGone(channel)
      },
    })
    if (through && !secure) channel.begin()
    else socket.once(secure ? 'secureConnect' : 'connect', () => channel.begin())
  })
}

/** A connection through a proxy; undefined where connections are direct. */
async function dialled(
  clock: Clock,
  target: { readonly host: string; readonly port: number },
  { dialer, connectTimeoutMs }: ChannelOptions,
): Promise<Duplex | undefined> {
  if (!dialer) return undefined
  const late = new AbortController()
  const timer = clock.after(connectTimeoutMs, () => late.abort(new Error('connecting took too long')))
  try {
    return await dialer(target, late.signal)
  } finally {
    void timer.close()
  }
}

class Connection implements Channel, ExchangeHost, FrameHandler {
  readonly endpoint: string
  usable = true
  readonly #clock: Clock
  readonly #socket: Duplex
  readonly #options: ChannelOptions
  readonly #events: { onReady(): void; onGone(reason: string): void }
  readonly #exchanges = new StreamList<GrpcExchange>()
  /** Exchanges that flow control keeps from sending, in order. */
  readonly #blocked = new Set<GrpcExchange>()
  /** Exchanges beyond the server's maximum of concurrent streams. */
  readonly #unopened: GrpcExchange[] = []
  readonly #headers: GrpcRequestHeaders
  readonly #responseHeaders = new GrpcResponseHeaders()
  readonly #writer: EtcdSocketWriter
  readonly #reader = new FrameReader(this)
  #nextId = 1
  #ready = false
  #destroyed = false
  #reason = 'the connection broke'
  #sendWindow = defaultWindowBytes
  #peerWindow = defaultWindowBytes
  #peerFrameBytes = frameBytesMax
  #peerStreams = windowMax
  #unacknowledged = 0
  #heard = true
  #heardAtMs: number
  #pingedAtMs: number | undefined

  constructor(
    clock: Clock,
    socket: Duplex,
    endpoint: string,
    options: ChannelOptions,
    events: { onReady(): void; onGone(reason: string): void },
  ) {
    this.#clock = clock
    this.#socket = socket
    this.endpoint = endpoint
    this.#options = options
    this.#events = events
    this.#heardAtMs = clock.monotonicMs()
    this.#headers = new GrpcRequestHeaders(endpoint, options.authority)
    this.#writer = new EtcdSocketWriter(clock, socket)
    socket.on('data', (chunk: Buffer) => this.#onData(chunk))
    socket.on('error', (error) => {
      this.#reason = networkErrorText(error)
    })
    socket.on('end', () => this.destroy('the server closed the connection'))
    socket.on('close', () => this.destroy(this.#reason))
  }

  get inFlight(): number {
    return this.#exchanges.size + this.#unopened.length
  }

  begin(): void {
    this.#writer.send(openingOf({ streamWindowBytes, connectionWindowBytes }))
  }

  open(path: string, frame: Buffer, more: boolean, sink: ReplySink): Exchange {
    if (this.#destroyed) throw new Error(this.#reason)
    const { replyBytesMax } = this.#options
    const exchange = new GrpcExchange(this, this.#headers.of(path, more), frame, more, sink, replyBytesMax)
    if (this.#exchanges.size >= this.#peerStreams) this.#unopened.push(exchange)
    else this.#start(exchange)
    return exchange
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
      this.#writer.send(frameOf(frames.ping, 0, 0, Buffer.alloc(8)))
    }
  }

  retire(): void {
    const reason = 'the connection is not used any more'
    this.#leave(reason)
    // Streams never end on a retired channel, and would go on reporting the state of a member that is no longer
    // trusted.
    for (const exchange of [...this.#exchanges.values(), ...this.#unopened])
      if (exchange.more) {
        this.cancel(exchange)
        exchange.end(unknown(reason))
      }
    if (this.inFlight === 0) this.destroy(reason)
  }

  destroy(reason: string): void {
    if (this.#destroyed) return
    this.#destroyed = true
    this.#reason = reason
    this.#socket.destroy()
    this.#leave(reason)
    const lost = this.#exchanges.values()
    this.#exchanges.clear()
    for (const exchange of lost) exchange.end(unknown(this.#reason))
    for (const exchange of this.#unopened.splice(0)) exchange.end(refused(this.#reason))
  }

  /** Sends as much as flow control allows, in the order of calls. */
  push(exchange: GrpcExchange): void {
    if (exchange.id === 0 || exchange.unsent.length === 0) return
    const { id, more } = exchange
    while (exchange.unsent.length > 0) {
      const room = Math.min(this.#sendWindow, exchange.sendWindow, this.#peerFrameBytes)
      if (room <= 0) return void this.#blocked.add(exchange)
      const part = exchange.unsent.subarray(0, room)
      exchange.unsent = exchange.unsent.subarray(part.length)
      this.#sendWindow -= part.length
      exchange.sendWindow -= part.length
      const ends = !more && exchange.unsent.length === 0
      this.#writer.send(frameOf(frames.data, ends ? flags.endStream : 0, id, part))
    }
    this.#blocked.delete(exchange)
  }

  cancel(exchange: GrpcExchange): void {
    if (exchange.id > 0) this.#writer.send(resetFrame(exchange.id, errorCodes.cancel))
    else this.#unopened.splice(this.#unopened.indexOf(exchange), 1)
    this.finish(exchange)
  }

  acknowledge(exchange: GrpcExchange): void {
    if (exchange.unacknowledged === 0) return
    this.#writer.send(windowUpdate(exchange.id, exchange.unacknowledged))
    exchange.unacknowledged = 0
  }

  /** The exchange has ended, so another may open. */
  finish(exchange: GrpcExchange): void {
    this.#exchanges.delete(exchange.id)
    this.#blocked.delete(exchange)
    if (this.#destroyed) return
    this.#startUnopened()
    if (!this.usable && this.inFlight === 0) this.destroy(this.#reason)
  }

  #startUnopened(): void {
    while (this.#exchanges.size < this.#peerStreams) {
      const next = this.#unopened.shift()
      if (!next) return
      this.#start(next)
    }
  }

  #start(exchange: GrpcExchange): void {
    exchange.id = this.#nextId
    exchange.sendWindow = this.#peerWindow
    this.#nextId += 2
    this.#exchanges.add(exchange)
    this.#writer.send(frameOf(frames.headers, flags.endHeaders, exchange.id, exchange.headers))
    this.push(exchange)
    if (this.#nextId > streamIdMax) this.#leave('the connection has served its time')
  }

  #leave(reason: string): void {
    if (!this.usable) return
    this.usable = false
    this.#events.onGone(reason)
  }

  #onData(chunk: Buffer): void {
    this.#heard = true
    try {
      this.#reader.push(chunk)
    } catch (error) {
      // Broken framing or headers; any other error is a bug of the code that handles the messages.
      if (!(error instanceof RangeError)) throw error
      this.destroy(`the server sent what can't be read: ${error.message}`)
    }
  }

  onFrame(type: number, flag: number, id: number, payload: Buffer): void {
    if (this.#destroyed) return
    if (type === frames.data) this.#onDataFrame(flag, id, payload)
    else if (type === frames.reset) this.#onReset(id, payload.readUInt32BE(0))
    else if (type === frames.settings) this.#onSettings(flag, payload)
    else if (type === frames.ping) {
      if ((flag & flags.ack) === 0) this.#writer.send(frameOf(frames.ping, flags.ack, 0, payload))
    } else if (type === frames.goAway) this.#onGoAway(payload)
    else if (type === frames.windowUpdate) this.#onWindowUpdate(id, payload.readUInt32BE(0) & windowMax)
  }

  #onDataFrame(flag: number, id: number, payload: Buffer): void {
    this.#unacknowledged += payload.length
    if (this.#unacknowledged > connectionWindowBytes / 2) {
      this.#writer.send(windowUpdate(0, this.#unacknowledged))
      this.#unacknowledged = 0
    }
    const exchange = this.#exchanges.get(id)
    if (!exchange) return
    const ends = (flag & flags.endStream) !== 0
    exchange.unacknowledged += payload.length
    if (!ends && !exchange.paused && exchange.unacknowledged > streamWindowBytes / 2) this.acknowledge(exchange)
    exchange.onData(unpadded(flag, payload))
    if (ends) this.#over(exchange, unknown('the answer ended without a status'))
  }

  onHeaderBlock(id: number, flag: number, block: Buffer): void {
    const headers = this.#responseHeaders.of(block)
    const exchange = this.#exchanges.get(id)
    if (!exchange) return
    const status = headers.get('grpc-status')
    if (status !== undefined) {
      const code = Number(status)
      this.#over(exchange, code === 0 ? undefined : fromStatus(code, decodeMessage(headers.get('grpc-message'))))
    } else if ((headers.get(':status') ?? '200') !== '200')
      this.#over(exchange, unknown(`HTTP status ${headers.get(':status')}`))
    else if ((flag & flags.endStream) !== 0) this.#over(exchange, unknown('the answer ended without a status'))
  }

  #onReset(id: number, code: number): void {
    const exchange = this.#exchanges.get(id)
    if (!exchange) return
    // A server that refuses a stream has not processed it.
    this.#over(
      exchange,
      code === errorCodes.refusedStream ? refused('the stream was refused') : unknown(`the stream was reset (${code})`),
    )
  }

  #onSettings(flag: number, payload: Buffer): void {
    if ((flag & flags.ack) !== 0) return
    for (let at = 0; at + 6 <= payload.length; at += 6) {
      const name = payload.readUInt16BE(at)
      const value = payload.readUInt32BE(at + 2)
      if (name === settings.maxConcurrentStreams) this.#peerStreams = value
      else if (name === settings.maxFrameSize) this.#peerFrameBytes = Math.min(value, 1 << 20)
      else if (name === settings.initialWindowSize) {
        for (const exchange of this.#exchanges.values()) exchange.sendWindow += value - this.#peerWindow
        this.#peerWindow = value
      }
    }
    this.#writer.send(settingsAck)
    if (!this.#ready) {
      this.#ready = true
      this.#events.onReady()
    }
    this.#pushBlocked()
    this.#startUnopened()
  }

  #onGoAway(payload: Buffer): void {
    const last = payload.readUInt32BE(0) & windowMax
    this.#leave(`the server is going away: ${payload.toString('latin1', 8)}`)
    for (const exchange of this.#unopened.splice(0)) exchange.end(refused('the server is going away'))
    for (const exchange of this.#exchanges.values())
      if (exchange.id > last) this.#over(exchange, refused('the server is going away'))
    if (this.inFlight === 0) this.destroy('the server went away')
  }

  #onWindowUpdate(id: number, increment: number): void {
    if (id === 0) {
      this.#sendWindow += increment
      return this.#pushBlocked()
    }
    const exchange = this.#exchanges.get(id)
    if (!exchange) return
    exchange.sendWindow += increment
    this.push(exchange)
  }

  #pushBlocked(): void {
    for (const exchange of this.#blocked) {
      if (this.#sendWindow <= 0) return
      this.push(exchange)
    }
  }

  /** The server has ended the exchange; if this side hasn't, it resets the stream. */
  #over(exchange: GrpcExchange, failure: GrpcFailure | undefined): void {
    if (exchange.more || exchange.unsent.length > 0) this.#writer.send(resetFrame(exchange.id, errorCodes.cancel))
    this.finish(exchange)
    exchange.end(failure)
  }
}
