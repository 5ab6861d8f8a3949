import { Readable } from 'node:stream'
import { assert } from '../base/index.ts'
import { statusErrors } from '../object/index.ts'
import { Collected } from './collected.ts'
import { ClientGone } from './errors.ts'
import type { BodySource } from './responder/responder.ts'
import type { Expiring, TimerWheel } from './timerwheel.ts'

const noBytes = new Uint8Array(0)
const readAheadBytes = 64 * 1024

/** The body of one request: read as a whole, or as a stream. */
export class RequestBody {
  /** The whole body, once it has been read. */
  bytes: Uint8Array | undefined = undefined
  readonly #source: BodySource
  readonly #timers: TimerWheel
  readonly #bytesMax: number
  readonly #timeoutMs: number | undefined
  #whole: Promise<Uint8Array> | undefined
  #reading: { cancel(reason: Error): void } | undefined
  #cancelled: Error | undefined

  /** `timeoutMs` limits `whole`; undefined where the call has a deadline. */
  constructor(
    source: BodySource,
    { timers, bodyBytesMax }: { timers: TimerWheel; bodyBytesMax: number },
    timeoutMs: number | undefined,
  ) {
    this.#source = source
    this.#timers = timers
    this.#bytesMax = bodyBytesMax
    this.#timeoutMs = timeoutMs
  }

  /** Fails with 413 beyond the limit, with ClientGone when the client leaves, and with the reason of `cancel`. */
  whole(): Promise<Uint8Array> {
    this.#whole ??= this.#read()
    return this.#whole
  }

  async #read(): Promise<Uint8Array> {
    if (this.#source.empty) return noBytes
    if (this.#cancelled !== undefined) throw this.#cancelled
    const reading = readWhole(this.#source, this.#bytesMax)
    this.#reading = reading
    if (this.#timeoutMs !== undefined) this.#timers.add(reading, this.#timeoutMs)
    try {
      this.bytes = await reading.done
      return this.bytes
    } finally {
      this.#timers.remove(reading)
    }
  }

  /**
   * Holds the client back while nothing is read: at most about `readAheadBytes` and the protocol's window wait in
   * memory.
   */
  stream(): Readable {
    assert(this.#whole === undefined && this.#reading === undefined, 'a body is read once')
    const stream = streamOf(this.#source)
    this.#reading = { cancel: (reason) => stream.destroy(reason) }
    if (this.#cancelled !== undefined) stream.destroy(this.#cancelled)
    return stream
  }

  cancel(reason: Error): void {
    this.#cancelled ??= reason
    this.#reading?.cancel(reason)
  }
}

interface Reading extends Expiring {
  readonly done: Promise<Uint8Array>
  cancel(reason: Error): void
}

/**
 * Fails as soon as more than `bytesMax` are declared or received, when the client leaves before the end, and when it
 * expires. The responder discards the unread rest.
 */
function readWhole(source: BodySource, bytesMax: number): Reading {
  let settle: (error?: Error) => void = () => {}
  const done = new Promise<Uint8Array>((resolve, reject) => {
    const collected = new Collected()
    settle = (error) => {
      source.stopReading()
      if (error) reject(error)
      else resolve(collected.whole())
    }
    if ((source.declaredBytes ?? 0) > bytesMax) return settle(tooLarge(bytesMax))
    source.proceed()
    source.read({
      onChunk(chunk) {
        if (collected.bytes + chunk.byteLength > bytesMax) settle(tooLarge(bytesMax))
        else collected.add(chunk)
      },
      onEnd: () => settle(),
      onGone: () => settle(new ClientGone()),
    })
  })
  return {
    done,
    cancel: (reason) => settle(reason),
    dueMs: 0,
    slot: undefined,
    place: -1,
    expire: () => settle(statusErrors.outOfTime()),
  }
}

function tooLarge(bytesMax: number): Error {
  return statusErrors.tooLarge(`limit is ${bytesMax}`)
}

function streamOf(source: BodySource): Readable {
  let begun = false
  let ended = false
  const readable = new Readable({
    highWaterMark: readAheadBytes,
    read() {
      if (begun) return source.resume()
      begun = true
      if (source.empty) return void readable.push(null)
      source.proceed()
      source.read({
        onChunk(chunk) {
          if (!readable.push(chunk)) source.pause()
        },
        onEnd() {
          ended = true
          readable.push(null)
        },
        onGone() {
          if (!ended) readable.destroy(new ClientGone())
        },
      })
    },
    destroy(error, done) {
      if (begun && !ended) source.stopReading()
      done(error)
    },
  })
  // Readers still receive the error; without a listener, a handler that has stopped reading would crash the process.
  readable.on('error', () => {})
  return readable
}
