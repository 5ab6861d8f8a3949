import { ClientStream, type ClientStreamSink, StreamError } from './clientstream.ts'
import {
  clientPreface,
  defaultWindowBytes,
  flags,
  frameBytesMax,
  frameOf,
  frames,
  goAway,
  resetFrame,
  settings,
  settingsAck,
  settingsFrame,
  unpadded,
  windowMax,
  windowUpdate,
} from './frame.ts'
import { type FrameHandler, FrameReader } from './framereader.ts'
import { HeaderDecoder } from './headerdecoder.ts'
import { errorCodes, ProtocolError } from './protocolerror.ts'
import { ReceiveWindow } from './receivewindow.ts'
import { StreamList } from './streamlist.ts'

/** Flow control windows: large enough that a list doesn't wait for round trips. */
const streamWindowBytes = 4 << 20
const connectionWindowBytes = 64 << 20
/** Stream ids end at 2^31; the connection is replaced well before. */
const streamIdMax = 2 ** 30
/** Assumed until the server's settings arrive. */
const streamsBeforeSettings = 100
/** Headers of one answer, as the stock client. */
const headerBlockBytesMax = 10 << 20

/** The connection of a session. */
export interface ClientSessionHost {
  /** Sends bytes, in order. */
  send(bytes: Uint8Array): void
  /** The server's settings have arrived, which hold the number of requests that it allows at once. */
  onReady(): void
  /** The session accepts no more requests; those that are open go on. */
  onLeave(reason: string): void
}

/**
 * The client's side of one HTTP/2 connection (RFC 9113), without its socket: takes the bytes that arrive, and hands out
 * those to be sent. Neither side keeps a dynamic header table: headers of requests can be encoded once and sent again.
 */
export class ClientSession implements FrameHandler {
  /** False once the server goes away, or the session was left. */
  usable = true
  readonly #host: ClientSessionHost
  readonly #reader = new FrameReader(this, { headerBlockBytesMax })
  readonly #decoder = new HeaderDecoder(0)
  readonly #streams = new StreamList<ClientStream>()
  /** Streams that flow control keeps from sending, in order. */
  readonly #blocked = new Set<ClientStream>()
  /** Requests beyond the server's maximum of concurrent streams. */
  readonly #unopened: ClientStream[] = []
  readonly #receiveWindow = new ReceiveWindow(connectionWindowBytes)
  #nextId = 1
  #isReady = false
  #isOver = false
  #reason = 'the connection is closing'
  #sendWindow = defaultWindowBytes
  #peerWindow = defaultWindowBytes
  #peerFrameBytes = frameBytesMax
  #peerStreams = streamsBeforeSettings

  constructor(host: ClientSessionHost) {
    this.#host = host
  }

  /** Requests without a complete answer. */
  get inFlight(): number {
    return this.#streams.size + this.#unopened.length
  }

  /** A further request would be sent at once. */
  get hasRoom(): boolean {
    return this.usable && this.inFlight < this.#peerStreams
  }

  /** Sends the client's preface and settings (RFC 9113, section 3.4). */
  begin(): void {
    const opening: readonly [number, number][] = [
      [settings.headerTableSize, 0],
      [settings.enablePush, 0],
      [settings.initialWindowSize, streamWindowBytes],
    ]
    this.#host.send(clientPreface)
    this.#host.send(settingsFrame(opening))
    this.#host.send(windowUpdate(0, connectionWindowBytes - defaultWindowBytes))
  }

  /** Sends a request, or lets it wait for others to end; throws StreamError when the session is not usable. */
  open(headers: Buffer, body: Uint8Array, sink: ClientStreamSink): ClientStream {
    if (!this.usable) throw new StreamError(this.#reason, { isUnprocessed: true })
    const stream = new ClientStream(sink, headers, body)
    if (this.#streams.size >= this.#peerStreams) this.#unopened.push(stream)
    else this.#start(stream)
    return stream
  }

  /** Ends a request; its sink gets nothing more. */
  cancel(stream: ClientStream): void {
    if (stream.isOver) return
    stream.isOver = true
    if (stream.id > 0) this.#host.send(resetFrame(stream.id, errorCodes.cancel))
    else this.#unopened.splice(this.#unopened.indexOf(stream), 1)
    this.#forget(stream)
  }

  ping(): void {
    this.#host.send(frameOf(frames.ping, 0, 0, Buffer.alloc(8)))
  }

  leave(reason: string): void {
    if (!this.usable) return
    this.usable = false
    this.#reason = reason
    this.#host.onLeave(reason)
  }

  /** The connection has ended. */
  end(reason: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.leave(reason)
    const lost = this.#streams.values()
    this.#streams.clear()
    this.#blocked.clear()
    for (const stream of lost) stream.end(new StreamError(reason))
    for (const stream of this.#unopened.splice(0)) stream.end(new StreamError(reason, { isUnprocessed: true }))
  }

  /** Reads what has arrived. Throws ProtocolError, after a GOAWAY to the server: the connection must be closed then. */
  receive(chunk: Buffer): void {
    try {
      this.#reader.push(chunk)
    } catch (error) {
      if (error instanceof ProtocolError) this.#host.send(goAway(0, error.code))
      throw error
    }
  }

  onFrame(type: number, flag: number, id: number, payload: Buffer): void {
    if (this.#isOver) return
    if (type === frames.data) this.#onData(flag, id, payload)
    else if (type === frames.reset) this.#onReset(id, numberIn(payload))
    else if (type === frames.settings) this.#onSettings(flag, id, payload)
    else if (type === frames.ping) this.#onPing(flag, payload)
    else if (type === frames.goAway) this.#onGoAway(payload)
    else if (type === frames.windowUpdate) this.#onWindowUpdate(id, numberIn(payload) & windowMax)
    else if (type === frames.pushPromise) throw wrong('a push that is switched off')
  }

  onHeaderBlock(id: number, flag: number, block: Buffer): void {
    const headers = new Map<string, string>()
    // Every block is decoded, also those of requests that were cancelled: malformed ones end the connection.
    this.#decoder.decode(block, { onHeader: (name, value) => addHeader(headers, name, value) })
    const stream = this.#streamOf(id)
    if (!stream) return
    const ends = (flag & flags.endStream) !== 0
    if (!stream.hasHead) {
      const status = Number(headers.get(':status') ?? Number.NaN)
      if (!(status >= 100 && status <= 999)) return this.#refuse(stream, 'the answer has no status')
      if (status < 200) return ends ? this.#refuse(stream, 'an interim answer ends the stream') : undefined
      stream.hasHead = true
      stream.sink.onHead(status, headers)
    } else if (!ends) return this.#refuse(stream, 'a second head')
    if (ends && !stream.isOver) this.#finish(stream)
  }

  #start(stream: ClientStream): void {
    stream.id = this.#nextId
    stream.sendWindow = this.#peerWindow
    stream.receiveWindow = new ReceiveWindow(streamWindowBytes)
    this.#nextId += 2
    this.#streams.add(stream)
    this.#sendHeaders(stream)
    this.#push(stream)
    if (this.#nextId > streamIdMax) this.leave('the connection has no more streams')
  }

  /** One HEADERS frame, and CONTINUATION frames where it would be too long (RFC 9113, section 6.10). */
  #sendHeaders({ id, headers, unsent }: ClientStream): void {
    const ending = unsent.length === 0 ? flags.endStream : 0
    for (let at = 0; at === 0 || at < headers.length; at += frameBytesMax) {
      const part = headers.subarray(at, at + frameBytesMax)
      const isLast = at + part.length === headers.length
      const type = at === 0 ? frames.headers : frames.continuation
      this.#host.send(frameOf(type, (isLast ? flags.endHeaders : 0) | (at === 0 ? ending : 0), id, part))
    }
  }

  /** Sends as much of the body as flow control allows. */
  #push(stream: ClientStream): void {
    const { id } = stream
    while (stream.unsent.length > 0) {
      const room = Math.min(this.#sendWindow, stream.sendWindow, this.#peerFrameBytes)
      if (room <= 0) return void this.#blocked.add(stream)
      const part = stream.unsent.subarray(0, room)
      stream.unsent = stream.unsent.subarray(part.length)
      this.#sendWindow -= part.length
      stream.sendWindow -= part.length
      this.#host.send(frameOf(frames.data, stream.unsent.length === 0 ? flags.endStream : 0, id, part))
    }
    this.#blocked.delete(stream)
  }

  #pushBlocked(): void {
    for (const stream of this.#blocked) {
      if (this.#sendWindow <= 0) return
      this.#push(stream)
    }
  }

  #onData(flag: number, id: number, payload: Buffer): void {
    // A session reads at once: the windows only limit the bytes that are on their way.
    const increment = this.#receiveWindow.release(payload.length)
    if (increment > 0) this.#host.send(windowUpdate(0, increment))
    const stream = this.#streamOf(id)
    if (!stream?.receiveWindow) return
    if (!stream.hasHead) return this.#refuse(stream, 'a body without a head')
    const data = unpadded(flag, payload)
    if (data.length > 0) stream.sink.onData(data)
    if (stream.isOver) return
    const ends = (flag & flags.endStream) !== 0
    const more = stream.receiveWindow.release(payload.length)
    if (ends) this.#finish(stream)
    else if (more > 0) this.#host.send(windowUpdate(id, more))
  }

  /** Undefined: it has ended. Throws ProtocolError for a stream that was never opened. */
  #streamOf(id: number): ClientStream | undefined {
    if (id % 2 === 0 || id >= this.#nextId) throw wrong('a frame of no stream')
    return this.#streams.get(id)
  }

  #onReset(id: number, code: number): void {
    const stream = this.#streamOf(id)
    if (!stream) return
    this.#forget(stream)
    const isUnprocessed = code === errorCodes.refusedStream
    const text = `stream error: stream ID ${id}; ${nameOf(code)}; received from peer`
    stream.end(new StreamError(text, { isUnprocessed }))
  }

  #onSettings(flag: number, id: number, payload: Buffer): void {
    if (id !== 0) throw wrong('settings of a stream')
    if ((flag & flags.ack) !== 0) return
    if (payload.length % 6 !== 0) throw new ProtocolError(errorCodes.frameSizeError, 'settings of another length')
    // A server that names no maximum allows any number.
    if (!this.#isReady) this.#peerStreams = windowMax
    for (let at = 0; at < payload.length; at += 6)
      this.#onSetting(payload.readUInt16BE(at), payload.readUInt32BE(at + 2))
    this.#host.send(settingsAck)
    if (!this.#isReady) {
      this.#isReady = true
      this.#host.onReady()
    }
    this.#pushBlocked()
    this.#startUnopened()
  }

  #onSetting(name: number, value: number): void {
    if (name === settings.maxConcurrentStreams) this.#peerStreams = value
    else if (name === settings.maxFrameSize) this.#peerFrameBytes = Math.min(Math.max(value, frameBytesMax), 1 << 20)
    else if (name === settings.initialWindowSize) {
      if (value > windowMax) throw new ProtocolError(errorCodes.flowControlError, 'a window that is too large')
      for (const stream of this.#streams.values()) stream.sendWindow += value - this.#peerWindow
      this.#peerWindow = value
    }
  }

  #onPing(flag: number, payload: Buffer): void {
    if (payload.length !== 8) throw new ProtocolError(errorCodes.frameSizeError, 'a ping of another length')
    if ((flag & flags.ack) === 0) this.#host.send(frameOf(frames.ping, flags.ack, 0, payload))
  }

  /** RFC 9113, section 6.8: requests after the last stream were not processed. */
  #onGoAway(payload: Buffer): void {
    if (payload.length < 8) throw new ProtocolError(errorCodes.frameSizeError, 'a GOAWAY that is too short')
    const last = payload.readUInt32BE(0) & windowMax
    const unprocessed = new StreamError('the server is going away', { isUnprocessed: true })
    this.leave(unprocessed.message)
    for (const stream of this.#unopened.splice(0)) stream.end(unprocessed)
    for (const stream of this.#streams.values()) {
      if (stream.id <= last) continue
      this.#forget(stream)
      stream.end(unprocessed)
    }
  }

  #onWindowUpdate(id: number, increment: number): void {
    if (id === 0) {
      this.#sendWindow += increment
      if (this.#sendWindow > windowMax) throw new ProtocolError(errorCodes.flowControlError, 'a window overflows')
      return this.#pushBlocked()
    }
    const stream = this.#streamOf(id)
    if (!stream) return
    stream.sendWindow += increment
    if (stream.sendWindow > windowMax) return this.#refuse(stream, 'a window overflows', errorCodes.flowControlError)
    this.#push(stream)
  }

  /** Ends a request whose answer is malformed. */
  #refuse(stream: ClientStream, message: string, code: number = errorCodes.protocolError): void {
    this.#host.send(resetFrame(stream.id, code))
    this.#forget(stream)
    stream.end(new StreamError(message))
  }

  /** The answer is complete. */
  #finish(stream: ClientStream): void {
    // The server needs no more of the body.
    if (stream.unsent.length > 0) this.#host.send(resetFrame(stream.id, errorCodes.noError))
    this.#forget(stream)
    stream.end()
  }

  #forget(stream: ClientStream): void {
    this.#streams.delete(stream.id)
    this.#blocked.delete(stream)
    this.#startUnopened()
  }

  #startUnopened(): void {
    while (!this.#isOver && this.#streams.size < this.#peerStreams) {
      const next = this.#unopened.shift()
      if (!next) return
      this.#start(next)
    }
  }
}

/** Several headers of one name are a list (RFC 9110, section 5.3). */
function addHeader(headers: Map<string, string>, name: string, value: string): void {
  const before = headers.get(name)
  headers.set(name, before === undefined ? value : `${before}, ${value}`)
}

/** The number that is all of a RST_STREAM's or WINDOW_UPDATE's payload. */
function numberIn(payload: Buffer): number {
  if (payload.length !== 4) throw new ProtocolError(errorCodes.frameSizeError, 'a frame of another length')
  return payload.readUInt32BE(0)
}

/** The name of a code in Go's form: `INTERNAL_ERROR`. */
function nameOf(code: number): string {
  const name = Object.entries(errorCodes).find(([, value]) => value === code)?.[0]
  return name?.replace(/[A-Z]|1/g, (part) => `_${part}`).toUpperCase() ?? String(code)
}

function wrong(message: string): ProtocolError {
  return new ProtocolError(errorCodes.protocolError, message)
}
