import { Duplex } from 'node:stream'
import type { Clock, Closable } from '../base/index.ts'

/** Parts of a second between which a connection pauses. */
const partsPerSec = 10

/** The socket at `bytesPerSecMax` in each direction at most; 0: the socket itself. */
export function throttle(clock: Clock, socket: Duplex, bytesPerSecMax: number): Duplex {
  return bytesPerSecMax > 0 ? new ThrottledSocket(clock, socket, bytesPerSecMax) : socket
}

class ThrottledSocket extends Duplex {
  readonly #clock: Clock
  readonly #socket: Duplex
  readonly #bytesPerSecMax: number
  /** The pause of each direction that is pausing. */
  readonly #pauses = new Map<'read' | 'write', Closable>()

  constructor(clock: Clock, socket: Duplex, bytesPerSecMax: number) {
    super({ readableHighWaterMark: socket.readableHighWaterMark, writableHighWaterMark: socket.writableHighWaterMark })
    this.#clock = clock
    this.#socket = socket
    this.#bytesPerSecMax = bytesPerSecMax
    let received: Promise<void> = Promise.resolve()
    socket.on('data', (chunk: Buffer) => {
      socket.pause()
      received = this.#pass('read', chunk, (part) => void this.push(part))
    })
    socket.on('end', () => void received.then(() => this.push(null)))
    socket.on('error', (error: Error) => this.destroy(error))
    socket.on('close', () => {
      if (!socket.readableEnded) this.destroy()
    })
  }

  override _read(): void {
    if (!this.#pauses.has('read')) this.#socket.resume()
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    void this.#pass('write', chunk, (part) => void this.#socket.write(part)).then(() => {
      if (this.#socket.writableNeedDrain) this.#socket.once('drain', done)
      else done()
    })
  }

  override _final(done: () => void): void {
    this.#socket.end(done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    for (const pause of this.#pauses.values()) void pause.close()
    this.#socket.destroy()
    done(error)
  }

  /** Passes the parts of a chunk on, each followed by the time that it takes at the maximum rate. */
  #pass(direction: 'read' | 'write', chunk: Buffer, to: (part: Buffer) => void): Promise<void> {
    const partBytes = Math.max(1, Math.floor(this.#bytesPerSecMax / partsPerSec))
    return new Promise((done) => {
      const next = (at: number): void => {
        if (at >= chunk.length) {
          this.#pauses.delete(direction)
          if (direction === 'read' && this.readableLength < this.readableHighWaterMark) this.#socket.resume()
          return done()
        }
        const part = chunk.subarray(at, at + partBytes)
        const pauseMs = (part.length / this.#bytesPerSecMax) * 1000
        this.#pauses.set(
          direction,
          this.#clock.after(pauseMs, () => next(at + part.length)),
        )
        to(part)
      }
      next(0)
    })
  }
}
