import type { TLSSocket } from 'node:tls'
import { type BufferPool, pieceBytes } from '../bufferpool.ts'
import type { Flusher } from '../flusher.ts'

/** Small, since many connections may hold a buffer at the same time. */
const usualBytesMax = 16 * 1024

/**
 * Writes the frames of one connection: straight into a pooled buffer that is sent to the socket at the end of the turn of
 * the event loop, or as soon as it is full.
 */
export class SocketWriter {
  /** The buffer for reserved bytes; the next `reserve` may replace it. */
  buffer: Buffer
  /** The socket's buffer is full: what can wait should not be written until it has drained. */
  congested = false
  readonly #socket: TLSSocket
  readonly #buffers: BufferPool
  readonly #flusher: Flusher
  #length = 0
  #scheduled = false
  /** Size of a turn's first buffer: what the last turn used, up to a limit. */
  #usualBytes = 0

  constructor(socket: TLSSocket, buffers: BufferPool, flusher: Flusher) {
    this.#socket = socket
    this.#buffers = buffers
    this.#flusher = flusher
    this.buffer = buffers.none
  }

  /** Bytes that the client has not read yet. */
  get pendingBytes(): number {
    return this.#length + this.#socket.writableLength
  }

  /** Reserves `bytes`, at most a piece's, and returns their offset in `buffer`. All of them have to be written. */
  reserve(bytes: number): number {
    if (this.#length + bytes > this.buffer.length) this.#makeRoom(bytes)
    if (!this.#scheduled) {
      this.#scheduled = true
      this.#flusher.add(this)
    }
    const at = this.#length
    this.#length += bytes
    return at
  }

  /** Releases the reserved bytes from `end` on. */
  trim(end: number): void {
    this.#length = end
  }

  put(frame: Uint8Array): void {
    const at = this.reserve(frame.byteLength)
    this.buffer.set(frame, at)
  }

  flush(): void {
    this.#scheduled = false
    this.#write()
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes > pieceBytes) this.#write()
    const old = this.buffer
    this.buffer = this.#buffers.take(Math.max(this.#length + bytes, this.#usualBytes))
    old.copy(this.buffer, 0, 0, this.#length)
    this.#buffers.give(old)
  }

  #write(): void {
    const { buffer } = this
    const length = this.#length
    if (length === 0) return
    this.buffer = this.#buffers.none
    this.#length = 0
    this.#usualBytes = Math.min(length, usualBytesMax)
    if (this.#socket.destroyed) return
    const bytes = length === buffer.length ? buffer : buffer.subarray(0, length)
    const taken = this.#socket.write(bytes, (error) => {
      if (!error) this.#buffers.give(buffer)
    })
    if (!taken) this.congested = true
  }
}
