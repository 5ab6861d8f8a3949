import type { Duplex, Readable } from 'node:stream'
import type { ApiObject, ListMeta } from '../object/index.ts'
import type { PresentedCertificates } from '../pki/index.ts'
import type { RequestInfo } from './info.ts'
import type { UserInfo } from './user.ts'

/**
 * One request, free of any transport. The chain fills it step by step: info, then user, then audit; handlers read it,
 * throw StatusError, and answer through `responder`.
 */
export interface Call {
  readonly method: string
  /** Path with its query, as sent. */
  readonly url: string
  /** Without the query, percent escapes resolved (see decodePath). */
  readonly path: string
  readonly query: URLSearchParams
  /** Names in lower case; a repeated header is joined with ', '. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The values of a repeated header one by one, where joining them would blur who said what (groups of a user). */
  headerValues?(name: string): readonly string[]
  readonly remoteAddress: string
  readonly httpVersion: '1.1' | '2'
  /** The certificates of the connection's handshake, the same object for all of its requests. */
  clientCertificates(): PresentedCertificates | undefined
  info: RequestInfo
  /** Set by the authentication filter. */
  user: UserInfo
  readonly receivedAtMs: number
  /** Names the request in logs and audit events, here and at servers that it is passed on to. */
  readonly auditId?: string
  /** Aborts when the client goes away, the deadline passes, or the server must stop. */
  readonly signal: AbortSignal
  /** Texts for Warning headers; duplicates are dropped and the total is limited. */
  readonly warnings: Warnings
  /** Annotations of the request's audit event. */
  readonly audit: AuditAnnotations
  /**
   * Called when a watch's initial events have been handed over, or another server is asked. From then on the call counts as
   * waiting, not as working.
   */
  begun?(): void
  /** Records a completed step, for the log of a slow request. */
  step?(name: string, fields?: Readonly<Record<string, string | number>>): void
  /** The whole body, read once. Throws 413 beyond the limit. */
  body(): Promise<Uint8Array>
  /**
   * The body as it arrives, in place of `body()`: it may have any length, and the client sends no faster than it is
   * read. It fails when the client leaves, and with the reason of `signal` when that aborts. A request without a body
   * gives an empty one.
   */
  bodyStream(): Readable
  /** Set when the client asks to speak another protocol: `Upgrade` over HTTP/1.1, extended CONNECT over HTTP/2. */
  readonly upgrade: Upgrade | undefined
  readonly responder: Responder
  /** Set when the client is in this process: objects come and go as they are, in place of bytes. */
  readonly objects?: ObjectExchange | undefined
}

/** The objects that a client in this process sends and takes. Answers are shared and must not be changed. */
export interface ObjectExchange {
  /** The request's object, which stays the client's; undefined where the body is bytes (a patch) or there is none. */
  readonly object: ApiObject | undefined
  answer(status: number, object: ApiObject): void
  answerList(status: number, list: ObjectList): void
  /** Somebody wants the list of what a deletion of a collection deleted; the client itself takes none. */
  readonly wantsDeleted: boolean
  /** Begins the answer of a watch. */
  watch(): ObjectStream
}

export interface ObjectList {
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
  /** The watch is over. */
  end(): void
}

/**
 * A client's wish to leave HTTP on this request. It may be accepted once, in place of an answer through the responder; a
 * handler that doesn't accept answers as usual. Over HTTP/2 (RFC 8441) the request looks like the GET with the headers
 * `upgrade` that it would be over HTTP/1.1.
 */
export interface Upgrade {
  /** As the client names it, such as `websocket` or `SPDY/3.1`; several with commas between them leave the choice. */
  readonly protocol: string
  /**
   * Answers 101, or 200 over HTTP/2, and hands over the stream of bytes behind it. `headers` name the protocol chosen as
   * `upgrade` where it isn't the client's word. Long-lived: the request's deadline no longer holds. The stream is
   * destroyed when `signal` aborts, and `signal` aborts when the client leaves.
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

export type ResponseHeaders = Readonly<Record<string, string | number>>

/** How an answer leaves. Exactly one of `send`, `sendChunks` and `stream` is called. */
export interface Responder {
  /** The whole answer; `body` may be in several chunks, which are written with respect to backpressure. */
  send(status: number, headers: ResponseHeaders, body?: Uint8Array | readonly Uint8Array[]): void | Promise<void>
  /**
   * The whole answer, large, made while it is sent and without telling its length. Each chunk is copied before the next
   * one is asked for. Making them must not fail: the client would see a broken connection.
   */
  sendChunks(status: number, headers: ResponseHeaders, chunks: Iterable<Uint8Array>): void | Promise<void>
  /** Starts an endless answer, such as a watch. */
  stream(status: number, headers: ResponseHeaders): ResponseStream
  readonly started: boolean
}

export interface ResponseStream {
  /** False when the client is behind (this was taken): wait for `onDrain`. The buffers must not be changed afterwards. */
  write(chunk: Uint8Array | readonly Uint8Array[]): boolean
  /** Bytes accepted but not yet handed to the socket. */
  readonly pendingBytes: number
  /** After a write that answered false: calls back once, as soon as the client has taken what was written. */
  onDrain(resume: () => void): void
  /** The client went away or the stream broke. */
  onClose(closed: () => void): void
  end(): void
  /** Ends at once, as an error the client notices. */
  abort(): void
}
