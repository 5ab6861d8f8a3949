import type { Socket } from 'node:net'
import { type BodySink, lingerBytesMax } from '../responder/responder.ts'
import { type AnswerEnds, answerHead } from './answerhead.ts'
import { IncomingBody } from './incomingbody.ts'
import type { RequestHead } from './requesthead.ts'

/** An exchange's interface to its connection. */
export interface ExchangeHost {
  readonly socket: Socket
  readonly remoteAddress: string
  readonly answerEnds: AnswerEnds
  /** The connection can serve another request behind this one. */
  readonly keepsAlive: boolean
  readonly pendingBytes: number
  /** Writes a character for each byte, at the end of the turn of the event loop or before `flush` returns. */
  write(text: string): void
  /** Before anything is written to the socket itself. */
  flush(): void
  /** The whole answer has been written. */
  answered(exchange: Exchange): void
  /** Somebody reads the body, or discards it. */
  readMore(): void
  /** Gives the connection away; what has come behind the request is the first to be read. */
  detach(): Socket
  destroy(): void
}

/** One request and its answer. */
export class Exchange {
  readonly head: RequestHead
  readonly host: ExchangeHost
  /** Undefined for a request without a body. */
  readonly incoming: IncomingBody | undefined
  /** A head has been written. */
  begun = false
  /** The whole answer has been written. */
  answered = false
  /** It is over, answered or not: nothing more can be sent. */
  closed = false
  /** The answer has no end that the client could wait for. */
  isStreaming = false
  /** Another request may follow on the connection. Final once an answer has begun. */
  keepsAlive: boolean
  #awaitsContinue: boolean
  #onClose: (() => void)[] | undefined

  constructor(host: ExchangeHost, head: RequestHead) {
    this.host = host
    this.head = head
    this.incoming = head.bodyBytes === 0 ? undefined : new IncomingBody()
    this.keepsAlive = head.keepsAlive && head.upgrade === ''
    this.#awaitsContinue = head.expectsContinue
  }

  // The answer.

  /** The client asked for the headers only. */
  get isHead(): boolean {
    return this.head.method === 'HEAD'
  }

  /** Writes the head of an answer. Throws for headers that can't be sent. */
  begin(status: number, list: readonly string[]): void {
    const text = this.headOf(status, list)
    if (!this.closed) this.host.write(text)
  }

  /** The head of an answer, for a caller that writes it, a character for each byte. */
  headOf(status: number, list: readonly string[]): string {
    const start = answerHead(status, list)
    this.begun = true
    this.keepsAlive &&= this.host.keepsAlive && !this.#isStillSending
    // The client may read the answer only after it has sent its body.
    if (this.incoming?.complete === false && !this.isStreaming) {
      this.incoming.abandon()
      this.host.readMore()
    }
    return start + this.host.answerEnds.of(this.keepsAlive)
  }

  /** The answer is complete. */
  end(): void {
    if (this.closed) return
    this.incoming?.abandon()
    this.answered = true
    this.#close()
    this.host.answered(this)
  }

  /** Switches to the other protocol, and gives the connection away. The exchange lasts as long as that. */
  upgrade(list: readonly string[]): Socket {
    const text = answerHead(101, list) + this.host.answerEnds.ofUpgrade
    this.begun = true
    const socket = this.host.detach()
    if (!this.closed) {
      this.host.write(text)
      this.host.flush()
    }
    return socket
  }

  /**
   * The client still sends a body that will not be read and is too long to discard, or may send it: it waits for
   * `100 Continue`.
   */
  get #isStillSending(): boolean {
    if (this.incoming === undefined || this.incoming.complete) return false
    return this.#awaitsContinue || (this.head.bodyBytes ?? Infinity) > lingerBytesMax
  }

  // The request's body.

  proceed(): void {
    if (!this.#awaitsContinue || this.begun || this.closed) return
    this.#awaitsContinue = false
    if (this.incoming?.complete === false) this.host.write('HTTP/1.1 100 Continue\r\n\r\n')
  }

  read(sink: BodySink): void {
    if (this.closed || this.incoming === undefined) return sink.onGone()
    this.incoming.read(sink)
    this.host.readMore()
  }

  stopReading(): void {
    this.incoming?.stopReading()
    this.host.readMore()
  }

  resume(): void {
    this.incoming?.resume()
    this.host.readMore()
  }

  // Its end.

  /** Calls back once, when the exchange is over. */
  onClose(closed: () => void): void {
    if (this.closed) queueMicrotask(closed)
    else (this.#onClose ??= []).push(closed)
  }

  /** The client has left, or is taken to have. */
  broken(): void {
    if (this.closed) return
    this.#close()
    this.incoming?.broken()
  }

  /** Breaks off, so that the client sees it. */
  fail(): void {
    if (this.closed) return
    this.broken()
    this.host.destroy()
  }

  #close(): void {
    this.closed = true
    const callbacks = this.#onClose
    if (callbacks === undefined) return
    this.#onClose = undefined
    queueMicrotask(() => {
      for (const closed of callbacks) closed()
    })
  }
}
