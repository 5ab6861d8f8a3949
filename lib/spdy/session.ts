import type { Duplex } from 'node:stream'
import type { Clock, Closable } from '../base/index.ts'
import { controlFrame, controlTypes, dataHead, finFlag, numbers, resetCodes, SpdyFrameReader } from './frames.ts'
import { HeaderEncoder, SpdyHeaderDecoder, type SpdyHeaders } from './headerblock.ts'
import { SpdyStream, type StreamPeer } from './stream.ts'

export interface SpdySessionOptions {
  readonly clock: Clock
  readonly role: 'client' | 'server'
  /** Maximum number of open streams. */
  readonly streamsMax: number
  /** Interval of pings; a peer that has not answered by the next ping is given up. 0: no pings. */
  readonly pingEveryMs: number
  /** Accepts streams of the peer; absent: they are refused. */
  readonly onStream?: (stream: SpdyStream) => void
}

const unidirectionalFlag = 2
/** How long a peer may take to close a closed connection, and to read a part of the bytes that remain. */
const lingerMs = 10_000

/** A connection that speaks SPDY/3.1. */
export class SpdySession implements StreamPeer {
  readonly #socket: Duplex
  readonly #options: SpdySessionOptions
  readonly #reader: SpdyFrameReader
  readonly #encoder = new HeaderEncoder()
  readonly #decoder = new SpdyHeaderDecoder()
  readonly #streams = new Map<number, SpdyStream>()
  /** Streams whose readers are behind: the connection waits for them. */
  readonly #full = new Set<number>()
  /** Called when the socket accepts more. */
  readonly #waiting: (() => void)[] = []
  readonly #closed: ((error: Error | undefined) => void)[] = []
  #nextId: number
  #lastPeerId = 0
  #pingId: number
  #isPingOpen = false
  #pinging: Closable | undefined
  #isEnding = false
  #isClosing = false
  #late: Closable | undefined
  #failure: Error | undefined

  constructor(socket: Duplex, options: SpdySessionOptions) {
    this.#socket = socket
    this.#options = options
    this.#nextId = options.role === 'client' ? 1 : 2
    this.#pingId = this.#nextId
    this.#reader = new SpdyFrameReader({
      onControl: (type, flags, payload) => this.#control(type, flags, payload),
      onData: (id, part) => this.#streams.get(id)?.received(part),
      onFin: (id) => this.#streams.get(id)?.ended(),
    })
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('drain', () => this.#drained())
    socket.on('error', (error: Error) => (this.#failure ??= error))
    socket.on('end', () => this.#end())
    socket.on('close', () => this.#over())
    const { clock, pingEveryMs } = options
    if (pingEveryMs > 0) this.#pinging = clock.every(pingEveryMs, () => this.#ping())
  }

  /** Opens a stream, which can be written to at once. Throws beyond `streamsMax`. */
  open(headers: SpdyHeaders): SpdyStream {
    if (this.#streams.size >= this.#options.streamsMax) throw new Error('too many streams')
    const id = this.#nextId
    this.#nextId += 2
    const stream = new SpdyStream(this, id, headers)
    this.#streams.set(id, stream)
    const payload = Buffer.concat([numbers(id, 0), Buffer.of(0, 0), this.#encoder.encode(headers)])
    this.#send(controlFrame(controlTypes.synStream, 0, payload))
    return stream
  }

  /** Sends the remaining bytes and discards what the peer still sends. It has a limited time to close the connection. */
  close(): void {
    if (this.#isClosing) return
    this.#isClosing = true
    this.#end()
    // A connection that waits for a reader would never see that the peer closes it.
    this.#socket.resume()
    if (!this.#socket.destroyed) this.#linger(Number.POSITIVE_INFINITY)
  }

  destroy(error?: Error): void {
    this.#failure ??= error
    this.#socket.destroy()
  }

  onClose(closed: (error: Error | undefined) => void): void {
    this.#closed.push(closed)
  }

  /** Sends the remaining bytes; what the peer has sent is still read. */
  #end(): void {
    if (this.#isEnding) return
    this.#isEnding = true
    if (!this.#socket.writableEnded && !this.#socket.destroyed) {
      this.#send(controlFrame(controlTypes.goAway, 0, numbers(this.#lastPeerId, 0)))
      this.#socket.end()
    }
  }

  #linger(unsentBefore: number): void {
    this.#late = this.#options.clock.after(lingerMs, () => {
      const unsent = this.#socket.writableLength
      if (unsent > 0 && unsent < unsentBefore) this.#linger(unsent)
      else this.#socket.destroy()
    })
  }

  // Called by its streams
  reply(id: number): void {
    this.#send(controlFrame(controlTypes.synReply, 0, Buffer.concat([numbers(id), this.#encoder.encode({})])))
  }

  data(id: number, payload: Buffer, isLast: boolean, sent: () => void): boolean {
    if (this.#socket.destroyed || this.#socket.writableEnded) return true
    this.#socket.write(dataHead(id, isLast ? finFlag : 0, payload.length))
    if (payload.length === 0 || this.#socket.write(payload)) return true
    this.#waiting.push(sent)
    return false
  }

  reset(id: number): void {
    this.#reset(id, resetCodes.cancel)
  }

  full(id: number, isFull: boolean): void {
    if (isFull) this.#full.add(id)
    else if (!this.#full.delete(id)) return
    if (this.#full.size > 0 && !this.#isClosing) this.#socket.pause()
    else this.#socket.resume()
  }

  closed(id: number): void {
    this.#streams.delete(id)
    this.full(id, false)
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosing) return
    try {
      this.#reader.push(chunk)
    } catch (error) {
      this.destroy(new Error('the peer does not speak SPDY', { cause: error }))
    }
  }

  #control(type: number, flags: number, payload: Buffer): void {
    switch (type) {
      case controlTypes.synStream:
        return this.#opened(payload, flags)
      case controlTypes.synReply:
        return this.#replied(payload, flags)
      case controlTypes.headers:
        // These headers change nothing here, but later ones are compressed with them.
        this.#decoder.decode(payload.subarray(4))
        return
      case controlTypes.rstStream:
        return this.#streams.get(payload.readUInt32BE(0))?.cut()
      case controlTypes.ping:
        return this.#pinged(payload)
      case controlTypes.goAway:
        return this.#end()
      default:
      // Settings and windows are not used.
    }
  }

  #opened(payload: Buffer, flags: number): void {
    const id = payload.readUInt32BE(0) & 0x7fffffff
    const headers = this.#decoder.decode(payload.subarray(10))
    const { role, onStream, streamsMax } = this.#options
    if (id % 2 !== (role === 'client' ? 0 : 1) || id <= this.#lastPeerId)
      return this.#reset(id, resetCodes.protocolError)
    this.#lastPeerId = id
    if (!onStream || this.#isEnding || this.#streams.size >= streamsMax || (flags & unidirectionalFlag) !== 0)
      return this.#reset(id, resetCodes.refused)
    const stream = new SpdyStream(this, id, headers)
    this.#streams.set(id, stream)
    if ((flags & finFlag) !== 0) stream.ended()
    onStream(stream)
  }

  #replied(payload: Buffer, flags: number): void {
    const stream = this.#streams.get(payload.readUInt32BE(0))
    this.#decoder.decode(payload.subarray(4))
    stream?.accepted()
    if ((flags & finFlag) !== 0) stream?.ended()
  }

  #pinged(payload: Buffer): void {
    const isOwn = payload.readUInt32BE(0) % 2 === this.#pingId % 2
    if (isOwn) this.#isPingOpen = false
    // A peer that pings without reading the answers gets no more of them.
    else if (!this.#socket.writableNeedDrain) this.#send(controlFrame(controlTypes.ping, 0, payload.subarray(0, 4)))
  }

  #ping(): void {
    // A connection that waits for its readers here can't receive an answer.
    if (this.#full.size > 0 || this.#isEnding) return
    if (this.#isPingOpen) return this.destroy(new Error('the peer does not answer'))
    this.#isPingOpen = true
    this.#send(controlFrame(controlTypes.ping, 0, numbers(this.#pingId)))
    this.#pingId = (this.#pingId + 2) % 0x7fffffff
  }

  #reset(id: number, code: number): void {
    this.#send(controlFrame(controlTypes.rstStream, 0, numbers(id, code)))
  }

  #send(frame: Buffer): void {
    if (!this.#socket.destroyed && !this.#socket.writableEnded) this.#socket.write(frame)
  }

  #drained(): void {
    for (const sent of this.#waiting.splice(0)) sent()
  }

  #over(): void {
    void this.#pinging?.close()
    void this.#late?.close()
    this.#waiting.length = 0
    for (const stream of this.#streams.values()) stream.cut()
    for (const closed of this.#closed.splice(0)) closed(this.#failure)
  }
}
