import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { ObjectExchange, Responder, ResponseHeaders } from '../../request/index.ts'
import type { ServerCall } from '../call.ts'

/** Receives a request's body. */
export interface BodySink {
  onChunk(chunk: Uint8Array): void
  onEnd(): void
  /** The client went away before the end of the body. */
  onGone(): void
}

/** Discards an unwanted body. */
export const ignoredBody: BodySink = { onChunk() {}, onEnd() {}, onGone() {} }

/** A request's body on its way in. */
export interface BodySource {
  /** Passes the body to `sink`, from its beginning; once. */
  read(sink: BodySink): void
  /** The sink receives nothing more. */
  stopReading(): void
  /** Withholds data from the sink until `resume`, and holds the client back; a few chunks may still arrive. */
  pause(): void
  resume(): void
  /** The request has no body. */
  readonly empty: boolean
  /** Content-Length where the client sent one. */
  readonly declaredBytes: number | undefined
  /** Sends `100 Continue` to a client that waits for it. */
  proceed(): void
}

/**
 * The server's end of one request: connection, incoming body and answer. Everything that differs between HTTP/1.1,
 * HTTP/2 and clients in this process.
 */
export interface ServerResponder extends Responder {
  readonly httpVersion: '1.1' | '2'
  readonly remoteAddress: string
  /** Set by ServerCall. */
  call: ServerCall
  /** HTTP status sent; 0 before. */
  readonly status: number
  /** Body bytes passed on so far. */
  readonly bytesSent: number
  /** An answer started by `stream` is still open. */
  readonly streaming: boolean
  /** The client went away, or the answer was broken off, before it was complete. */
  readonly gone: boolean
  /** The whole answer has been passed on. */
  readonly complete: boolean
  readonly body: BodySource
  /** The protocol that the client asks for; '' for none. */
  readonly upgradeProtocol: string
  /** Switches to it; only where `upgradeProtocol` names one. */
  upgrade(headers: ResponseHeaders): Duplex
  /** The request's headers as sent: alternating names and values. */
  readonly rawHeaders: readonly string[]
  /** Identifies the connection: the same object for all of its requests. */
  readonly connection: object
  /** Undefined for a client in this process. */
  readonly socket: TLSSocket | undefined
  readonly objects?: ObjectExchange | undefined
  /** Calls back once, when the connection or stream is over, whether or not the answer was complete. */
  onClose(closed: () => void): void
  /** Breaks off, so that the client sees that the answer is incomplete. */
  fail(): void
  /**
   * Asks the client to open a new connection for later requests: `Connection: close`, or a GOAWAY. Before the answer.
   */
  retire(): void
}

/**
 * How long a client that is still sending may take to read an early refusal, and how much of its body is read
 * meanwhile.
 */
export const lingerMs = 500
export const lingerBytesMax = 256 * 1024
