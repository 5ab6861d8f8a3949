import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { ObjectExchange, Responder, ResponseHeaders } from '../../request/index.ts'
import type { ServerCall } from '../call.ts'

/** Takes a request's body as it arrives. */
export interface BodySink {
  onChunk(chunk: Uint8Array): void
  /** That was all. */
  onEnd(): void
  /** There will be no end: the client has gone. */
  onGone(): void
}

/** Discards a body that is not wanted. */
export const ignoredBody: BodySink = { onChunk() {}, onEnd() {}, onGone() {} }

/** The request body as it arrives. */
export interface BodySource {
  /** Hands the body to `sink`, from its beginning; once. */
  read(sink: BodySink): void
  /** The sink wants no more. */
  stopReading(): void
  /** Nothing reaches the sink until `resume`, and the client is held back; a little may still come. */
  pause(): void
  resume(): void
  /** True when the request has no body at all. */
  readonly empty: boolean
  /** Content-Length where the client sent one, else undefined. */
  readonly declaredBytes: number | undefined
  /** Tells a client that waits for `100 Continue` to go on. */
  proceed(): void
}

/** One request's end of its connection: exactly the part in which HTTP/1.1 and HTTP/2 differ. */
export interface ServerResponder extends Responder {
  readonly httpVersion: '1.1' | '2'
  readonly remoteAddress: string
  /** The call that this responder carries; set by ServerCall. */
  call: ServerCall
  /** HTTP status sent; 0 before. */
  readonly status: number
  /** Bytes of body handed over so far. */
  readonly bytesSent: number
  /** An answer started by `stream` is still open. */
  readonly streaming: boolean
  /** The client went away, or the answer was broken off, before it was complete. */
  readonly gone: boolean
  /** The whole answer has been handed over. */
  readonly complete: boolean
  readonly body: BodySource
  /** The protocol that the client asks for; '' for none. */
  readonly upgradeProtocol: string
  /** Switches to it: only where `upgradeProtocol` says one. */
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
  /** Breaks off, so that the client notices that the answer is not whole. */
  fail(): void
  /** Asks the client to open a new connection for what follows: `Connection: close`, or a GOAWAY. Before the answer. */
  retire(): void
}

/** How long a client that is still sending gets to read an early refusal, and how much is read away meanwhile. */
export const lingerMs = 500
export const lingerBytesMax = 256 * 1024
