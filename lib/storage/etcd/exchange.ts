import { StoreError } from '../contract.ts'
import { Assembler, messageBytesMax } from './assembler.ts'
import type { Exchange, ReplySink } from './channel.ts'
import { type GrpcFailure, grpcCodes, unknown } from './failure.ts'

/** The part of the connection that an exchange uses. */
export interface ExchangeHost {
  /** Sends what flow control allows of the unsent bytes. */
  push(exchange: GrpcExchange): void
  /** Resets the stream, and forgets the exchange. */
  cancel(exchange: GrpcExchange): void
  /** Returns the used window to the server. */
  acknowledge(exchange: GrpcExchange): void
}

/** One call on a connection. */
export class GrpcExchange implements Exchange {
  readonly #host: ExchangeHost
  readonly #sink: ReplySink
  readonly headers: Buffer
  /** Whether the caller may write more. */
  readonly more: boolean
  /** Bytes not yet sent. */
  unsent: Buffer
  /** 0 until it is opened. */
  id = 0
  sendWindow = 0
  unacknowledged = 0
  paused = false
  #assembler: Assembler | undefined
  #ended = false
  readonly #replyBytesMax: number

  constructor(
    host: ExchangeHost,
    headers: Buffer,
    frame: Buffer,
    more: boolean,
    sink: ReplySink,
    replyBytesMax = messageBytesMax,
  ) {
    this.#replyBytesMax = replyBytesMax
    this.#host = host
    this.headers = headers
    this.unsent = frame
    this.more = more
    this.#sink = sink
  }

  write(frame: Buffer): void {
    if (this.#ended) return
    this.unsent = this.unsent.length > 0 ? Buffer.concat([this.unsent, frame]) : frame
    this.#host.push(this)
  }

  pause(): void {
    this.paused = true
  }

  resume(): void {
    this.paused = false
    if (!this.#ended) this.#host.acknowledge(this)
  }

  cancel(): void {
    if (this.#ended) return
    this.#ended = true
    this.#host.cancel(this)
  }

  end(failure: GrpcFailure | undefined): void {
    if (this.#ended) return
    this.#ended = true
    this.#sink.onEnd(failure)
  }

  onData(chunk: Buffer): void {
    if (this.#ended) return
    try {
      if (!this.#assembler && chunk.length >= 5 && chunk.readUInt32BE(1) + 5 === chunk.length)
        this.#sink.onMessage(chunk.subarray(5))
      else this.#collect(chunk)
    } catch (error) {
      // Any other error is a bug of the code that handles the message, not a bad message.
      if (error instanceof StoreError) this.#giveUp(unknown(error.message, grpcCodes.resourceExhausted))
      else if (error instanceof RangeError) this.#giveUp(unknown(error.message, grpcCodes.internal))
      else throw error
    }
  }

  #collect(chunk: Buffer): void {
    this.#assembler ??= new Assembler(this.#replyBytesMax)
    this.#sink.onPart()
    this.#assembler.push(chunk, (message) => {
      if (!this.#ended) this.#sink.onMessage(message)
    })
  }

  #giveUp(failure: GrpcFailure): void {
    this.#host.cancel(this)
    this.end(failure)
  }
}
