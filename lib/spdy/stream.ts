import { Duplex } from 'node:stream'
import type { SpdyHeaders } from './headerblock.ts'

/** The part of the session that a stream uses. */
export interface StreamPeer {
  reply(streamId: number): void
  /** False: wait for `sent` before writing more. */
  data(streamId: number, payload: Buffer, isLast: boolean, sent: () => void): boolean
  reset(streamId: number): void
  /** The stream's buffer is full, or has room again. */
  full(streamId: number, isFull: boolean): void
  closed(streamId: number): void
}

/** Bytes of one stream that may wait for its reader before the whole connection waits. */
const heldBytesMax = 64 * 1024
const frameBytesMax = 64 * 1024

/** One stream of a session. Writes wait until the peer has accepted the stream: peers drop earlier ones. */
export class SpdyStream extends Duplex {
  readonly id: number
  readonly headers: SpdyHeaders
  readonly #peer: StreamPeer
  #isAccepted = false
  #onAccept: (() => void) | undefined
  #hasEnded = false
  #isCut = false
  /** The peer has not ended it. */
  isIncomplete = false

  constructor(peer: StreamPeer, id: number, headers: SpdyHeaders) {
    super({ readableHighWaterMark: heldBytesMax, writableHighWaterMark: frameBytesMax })
    this.#peer = peer
    this.id = id
    this.headers = headers
    // The end of a stream is no error of the process.
    this.on('error', () => {})
  }

  /** Accepts a stream that the peer has opened. */
  accept(): void {
    this.#peer.reply(this.id)
    this.accepted()
  }

  /** The peer has accepted the stream. */
  accepted(): void {
    this.#isAccepted = true
    this.#onAccept?.()
    this.#onAccept = undefined
  }

  received(part: Buffer): void {
    if (this.#hasEnded || this.destroyed) return
    if (!this.push(part)) this.#peer.full(this.id, true)
  }

  ended(): void {
    if (this.#hasEnded || this.destroyed) return
    this.#hasEnded = true
    this.push(null)
  }

  /** The peer has abandoned the stream, or is lost: received bytes can still be read, writes are dropped. */
  cut(): void {
    this.#isCut = true
    if (!this.#hasEnded) this.isIncomplete = true
    this.ended()
    this.accepted()
  }

  override _read(): void {
    this.#peer.full(this.id, false)
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (this.#isCut) return done()
    if (!this.#isAccepted) {
      this.#onAccept = () => this._write(chunk, _encoding, done)
      return
    }
    let rest = chunk
    while (rest.length > frameBytesMax) {
      this.#peer.data(this.id, rest.subarray(0, frameBytesMax), false, () => {})
      rest = rest.subarray(frameBytesMax)
    }
    if (this.#peer.data(this.id, rest, false, done)) done()
  }

  override _final(done: () => void): void {
    if (!this.#isAccepted) {
      this.#onAccept = () => this._final(done)
      return
    }
    if (!this.#isCut) this.#peer.data(this.id, Buffer.alloc(0), true, () => {})
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#isCut && !(this.#hasEnded && this.writableFinished)) this.#peer.reset(this.id)
    this.#peer.closed(this.id)
    done(error)
  }
}
