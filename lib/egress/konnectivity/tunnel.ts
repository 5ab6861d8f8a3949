import { Duplex } from 'node:stream'
import type { ClientDuplexStream } from '@grpc/grpc-js'
import type { Clock, Closable, Random } from '../../base/index.ts'
import { addressOf, type DialTarget } from '../contract.ts'
import type { Packet, SentPacket } from './packets.ts'

/** Maximum size of the data in one packet; servers take 4 MiB. */
const dataBytesMax = 32 * 1024
/**
 * How long received data may wait for its reader. As with the stock server, the connection then ends: a proxy that can't
 * deliver holds up the other connections of the same agent.
 */
const readerMsMax = 10_000
/** How long the proxy may take to close its side. */
const closingMsMax = 10_000
/** Maximum length of a proxy's words in errors. */
const wordsMax = 1024

/** Packets to the proxy and from it. */
type PacketStream = ClientDuplexStream<SentPacket, Packet>

interface TunnelServices {
  readonly clock: Clock
  readonly random: Random
  /** Closes what carries the stream, which is over. */
  release(): void
}

/**
 * A connection to `target` through the stream, which carries nothing else. Rejects with the proxy's words, or the
 * signal's reason.
 */
export async function openTunnel(
  stream: PacketStream,
  services: TunnelServices,
  target: DialTarget,
  signal: AbortSignal,
): Promise<Duplex> {
  const tunnel = new Tunnel(stream, services, addressOf(target))
  const onAbort = (): void => void tunnel.destroy(signal.reason as Error)
  const onError = (): void => {} // the caller gets it by the promise
  tunnel.on('error', onError)
  signal.addEventListener('abort', onAbort)
  try {
    if (signal.aborted) onAbort()
    await tunnel.opened
    tunnel.off('error', onError)
    return tunnel
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Has the methods of a socket that HTTP clients call. Its two directions end together, as the protocol knows no other end. */
class Tunnel extends Duplex {
  readonly opened: Promise<void>
  readonly #stream: PacketStream
  readonly #clock: Clock
  readonly #dialId: string
  readonly #settle: { resolve(): void; reject(error: Error): void }
  /** Given by the proxy; '' until the connection is open. */
  #connectId = ''
  #isStreamOver = false
  #isPeerClosed = false
  /** The reader is behind: further data has to wait. */
  #isFull = false
  #waiting: Uint8Array | undefined
  #late: Closable | undefined

  constructor(stream: PacketStream, { clock, random, release }: TunnelServices, address: string) {
    super({ allowHalfOpen: false })
    this.#stream = stream
    this.#clock = clock
    this.#dialId = randomId(random)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.opened = promise
    this.#settle = { resolve, reject }
    const over = (error: Error): void => {
      if (this.#isStreamOver) return
      this.#isStreamOver = true
      release()
      if (!this.#isPeerClosed) this.destroy(error)
    }
    stream.on('data', (packet: Packet) => this.#arrived(packet))
    const broken = (words: string, cause?: unknown): void => over(new Error(`${this.#about}: ${words}`, { cause }))
    stream.on('error', (error) => broken(wordsOf(error), error))
    stream.on('end', () => broken('the proxy ended it'))
    this.#send({ type: 'dialRequest', protocol: 'tcp', address, random: this.#dialId })
  }

  get #about(): string {
    return this.#connectId === '' ? 'opening a tunnel' : 'the tunnel broke'
  }

  #send(packet: SentPacket, done?: (error?: Error | null) => void): void {
    this.#stream.write(packet, done)
  }

  #arrived(packet: Packet): void {
    if (this.destroyed) return
    const { type, random, connectId = '', error = '' } = packet
    const isDialing = this.#connectId === ''
    if (type === 'other') return
    if (type === 'dialResponse' && isDialing && random === this.#dialId) {
      if (error !== '') return void this.destroy(new Error(error.slice(0, wordsMax)))
      if (connectId !== '0') return this.#open(connectId)
    }
    if (type === 'closeDial' && isDialing && random === this.#dialId) return void this.destroy(new Error('dial closed'))
    if (!isDialing && connectId === this.#connectId) {
      if (type === 'data') return this.#deliver(packet.data ?? new Uint8Array())
      if (type === 'closeResponse') return this.#closedByPeer()
    }
    // A stream carries one connection: data of another one must not reach this one's reader.
    this.destroy(new Error(`${this.#about}: the proxy sent an unexpected packet (${type})`))
  }

  #open(connectId: string): void {
    this.#connectId = connectId
    this.#settle.resolve()
  }

  #deliver(data: Uint8Array): void {
    if (data.length === 0) return
    if (!this.#isFull) {
      this.#isFull = !this.push(data)
      return
    }
    this.#waiting = data
    this.#stream.pause()
    const text = `data waited for its reader for more than ${readerMsMax / 1000} s`
    this.#late = this.#clock.after(readerMsMax, () => this.destroy(new Error(text)))
  }

  #closedByPeer(): void {
    this.#isPeerClosed = true
    this.push(null)
  }

  override _read(): void {
    this.#isFull = false
    if (!this.#waiting) return
    const data = this.#waiting
    this.#waiting = undefined
    void this.#late?.close()
    this.#isFull = !this.push(data)
    this.#stream.resume()
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    // As with a socket, what is sent to a peer that has just left is lost.
    if (this.#isPeerClosed || chunk.length === 0) return done()
    for (let at = 0; at < chunk.length; at += dataBytesMax) {
      const data = chunk.subarray(at, at + dataBytesMax)
      const isLast = at + dataBytesMax >= chunk.length
      this.#send({ type: 'data', connectId: this.#connectId, data }, isLast ? done : undefined)
    }
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    void this.#late?.close()
    this.#waiting = undefined
    this.#settle.reject(error ?? new Error('the connection is closed'))
    // The caller may have stopped waiting for it.
    this.opened.catch(() => {})
    if (!this.#isStreamOver) this.#leave()
    done(error)
  }

  #leave(): void {
    if (this.#connectId === '') this.#send({ type: 'closeDial', random: this.#dialId })
    else if (!this.#isPeerClosed) this.#send({ type: 'closeRequest', connectId: this.#connectId })
    this.#stream.end()
    // The answer to it is read, and dropped.
    this.#stream.resume()
    const late = this.#clock.after(closingMsMax, () => this.#stream.cancel())
    this.#stream.once('close', () => void late.close())
  }

  setKeepAlive(): this {
    return this
  }
  setNoDelay(): this {
    return this
  }
  setTimeout(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}

/** Unique among all clients of the proxy: positive, 63 bits. */
function randomId(random: Random): string {
  const value = Buffer.from(random.bytes(8)).readBigUInt64BE() >> 1n
  return String(value === 0n ? 1n : value)
}

/** Without gRPC's name of the code, where there is one. */
function wordsOf(error: Error & { readonly details?: unknown }): string {
  const { details, message } = error
  const words = typeof details === 'string' && details !== '' ? details : message
  return words.slice(0, wordsMax)
}
