import { Collected } from '../collected.ts'
import { type BodySink, ignoredBody } from '../responder/responder.ts'

/** The body of one request on its way to its reader. */
export class IncomingBody {
  /** The client has sent all of it. */
  complete = false
  #gone = false
  /** Bytes received before `read`, or while paused. */
  #received: Collected | undefined
  #sink: BodySink | undefined
  #paused = false

  /** Bytes that wait for a reader. */
  get waitingBytes(): number {
    return this.#received?.bytes ?? 0
  }

  receive(chunk: Uint8Array): void {
    if (this.#sink !== undefined && !this.#paused) this.#sink.onChunk(chunk)
    else {
      this.#received ??= new Collected()
      this.#received.add(chunk)
    }
  }

  receiveEnd(): void {
    this.complete = true
    if (!this.#paused) this.#sink?.onEnd()
  }

  /** The connection is over. */
  broken(): void {
    if (this.#gone) return
    this.#gone = true
    if (!this.complete || this.#paused) this.#sink?.onGone()
  }

  /** Passes the body to `sink`, from its beginning; once. */
  read(sink: BodySink): void {
    if (this.#gone || this.#sink !== undefined) return sink.onGone()
    this.#sink = sink
    this.#deliver(sink)
  }

  pause(): void {
    this.#paused = true
  }

  resume(): void {
    if (!this.#paused) return
    this.#paused = false
    if (this.#sink !== undefined && !this.#gone) this.#deliver(this.#sink)
  }

  /** Discards a body that has no reader. */
  abandon(): void {
    if (this.#sink === undefined) this.stopReading()
  }

  /** Discards the rest of the body. */
  stopReading(): void {
    this.#sink = ignoredBody
    this.#received = undefined
    this.resume()
  }

  #deliver(sink: BodySink): void {
    const received = this.#received
    this.#received = undefined
    if (received !== undefined) sink.onChunk(received.whole())
    // The sink may have paused again, or stopped.
    if (this.complete && !this.#paused && this.#sink === sink) sink.onEnd()
  }
}
