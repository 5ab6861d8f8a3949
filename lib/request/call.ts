import type { Duplex, Readable } from 'node:stream'
import type { ApiObject, ListMeta } from '../object/index.ts'
import type { PresentedCertificates } from '../pki/index.ts'
import type { RequestInfo } from './info.ts'
import type { QueryParameters } from './query.ts'
import type { UserInfo } from './user.ts'

/**
 * One request, independent of its transport. The chain sets info, user and audit; handlers read it, throw StatusError,
 * and answer through `responder`.
 */
export interface Call {
  readonly method: string
  /** Path with its query, as sent. */
  readonly url: string
  /** Without the query, percent-decoded (see decodePath). */
  readonly path: string
  readonly query: QueryParameters
  /** Names in lower case; a repeated header is joined with ', '. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The values of a repeated header one by one, where a joined value would be ambiguous (groups of a user). */
  headerValues?(name: string): readonly string[]
  readonly remoteAddress: string
  readonly httpVersion: '1.1' | '2'
  /** The certificates of the connection's handshake; the same object for all of its requests. */
  clientCertificates(): PresentedCertificates | undefined
  info: RequestInfo
  /** Set by the authentication filter. */
  user: UserInfo
  readonly receivedAtMs: number
  /** Identifies the request in logs and audit events, here and at servers that it is proxied to. */
  readonly auditId?: string
  /** Aborts when the client goes away, the deadline passes, or the server must stop. */
  readonly signal: AbortSignal
  /** Texts for Warning headers; duplicates are dropped and the total is limited. */
  readonly warnings: Warnings
  /** Annotations of the request's audit event. */
  readonly audit: AuditAnnotations
  /**
   * Reports that a watch's initial events have been sent, or that the request is proxied: from then on the call waits,
   * and holds no seat.
   */
  begun?(): void
  /** Records a completed step, for the log of a slow request. */
  step?(name: string, fields?: Readonly<Record<string, string | number>>): void
  /** The whole body, read once. Throws 413 beyond the limit. */
  body(): Promise<Uint8Array>
  /**
   * The body as a stream, in place of `body()`: it may have any length, and the client sends no faster than it is read.
   * It fails when the client leaves, and with the reason of `signal` when that aborts. Empty for a request without a
   * body.
   */
  bodyStream(): Readable
  /** Set when the client asks to upgrade: `Upgrade` over HTTP/1.1, extended CONNECT over HTTP/2. */
  readonly upgrade: Upgrade | undefined
  readonly responder: Responder
  /** Set for a client in this process: bodies and answers are objects instead of bytes. */
  readonly objects?: ObjectExchange | undefined
}

/** The objects of a request from this process and of its answer. Answers are shared and must not be changed. */
export interface ObjectExchange {
  /** The request's object, which the client owns; undefined where the body is bytes (a patch) or there is none. */
  readonly object: ApiObject | undefined
  answer(status: number, object: ApiObject): void
  answerList(status: number, list: ListDocument): void
  /** Audit records the list of deleted objects of a deletecollection; the client itself ignores it. */
  readonly wantsDeleted: boolean
  /** Begins the answer of a watch. */
  watch(): ObjectStream
}

export interface ListDocument {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ListMeta
  readonly items: readonly ApiObject[]
}

export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  /** For ERROR, a Status. */
  readonly object: ApiObject
}

export interface ObjectStream {
  events(events: readonly ObjectEvent[]): void
  end(): void
}

/**
 * A client's request to upgrade. It may be accepted once, instead of an answer through the responder; a handler that
 * doesn't accept it answers as usual. Over HTTP/2 (RFC 8441) the request looks like the GET with the headers `upgrade`
 * that it would be over HTTP/1.1.
 */
export interface Upgrade {
  /** As the client names it, such as `websocket` or `SPDY/3.1`; one of several separated by commas may be chosen. */
  readonly protocol: string
  /**
   * Answers 101, or 200 over HTTP/2, and returns the connection's stream of bytes. `headers` name the chosen protocol
   * as `upgrade` where it differs from `protocol`. The request's deadline no longer applies. The stream is destroyed
   * when `signal` aborts, and `signal` aborts when the client leaves.
   */
  accept(headers: ResponseHeaders): Duplex
}

export interface Warnings {
  add(text: string): void
  list(): readonly string[]
}

export interface AuditAnnotations {
  annotate(key: string, value: string): void
  /** The object that the client sent, as decoded; it may change afterwards. */
  request?(object: ApiObject): void
}

/** A list is sent as one header a value. */
export type ResponseHeaders = Readonly<Record<string, string | number | readonly string[]>>

/** Sends the answer. Exactly one of `send`, `sendChunks` and `stream` is called. */
export interface Responder {
  /** The whole answer; a `body` of several chunks is written with backpressure. */
  send(status: number, headers: ResponseHeaders, body?: Uint8Array | readonly Uint8Array[]): void | Promise<void>
  /**
   * The whole answer, large, made while it is sent and without a Content-Length. Each chunk is copied before the next
   * one is requested. Making them must not fail: the client would see a broken connection.
   */
  sendChunks(status: number, headers: ResponseHeaders, chunks: Iterable<Uint8Array>): void | Promise<void>
  /** Starts an endless answer, such as a watch. */
  stream(status: number, headers: ResponseHeaders): ResponseStream
  readonly started: boolean
}

export interface ResponseStream {
  /**
   * False when the client is behind (the chunk was accepted): wait for `onDrain`. The buffers must not be changed
   * afterwards.
   */
  write(chunk: Uint8Array | readonly Uint8Array[]): boolean
  /** Bytes accepted but not yet written to the socket. */
  readonly pendingBytes: number
  /** After a write that returned false: calls back once, when the client has read what was written. */
  onDrain(resume: () => void): void
  /** The client went away or the stream broke. */
  onClose(closed: () => void): void
  end(): void
  /** Ends at once, as an error that the client notices. */
  abort(): void
}
