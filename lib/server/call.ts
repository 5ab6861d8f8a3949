import type { Duplex, Readable } from 'node:stream'
import type { Clock } from '../base/index.ts'
import type { ClassifiedRequest } from '../fairness/index.ts'
import type { ApiObject, StatusError } from '../object/index.ts'
import type { PresentedCertificates } from '../pki/index.ts'
import {
  type AuditAnnotations,
  anonymousUser,
  type Call,
  noRequestInfo,
  type ObjectExchange,
  parseQuery,
  type QueryParameters,
  type RequestInfo,
  type ResponseHeaders,
  type Upgrade,
  type UserInfo,
  type Warnings,
} from '../request/index.ts'
import type { BufferPool } from './bufferpool.ts'
import { ClientGone } from './errors.ts'
import { CallOutcome } from './outcome.ts'
import { RequestBody } from './requestbody.ts'
import type { ChunkFrames } from './responder/chunks.ts'
import type { ServerResponder } from './responder/responder.ts'
import type { TimerWheel } from './timerwheel.ts'
import { CallTimings } from './timings.ts'
import type { PeerCertificates } from './tls/peer.ts'
import { createWarnings } from './warnings.ts'

/** Shared by all calls of one server. */
export interface CallServices {
  readonly clock: Clock
  readonly timers: TimerWheel
  readonly bodyBytesMax: number
  readonly bodyTimeoutMs: number
  readonly peers: PeerCertificates
  /** Large answers are compressed for clients that accept gzip. */
  readonly compress: boolean
  readonly buffers: BufferPool
  readonly chunkFrames: ChunkFrames
}

/** The audit record of a call: filters and handlers annotate it, responders report the answer to it. */
export interface CallAudit extends AuditAnnotations {
  /** `sent` needs the answer's body. */
  readonly keepsResponse: boolean
  sent(status: number, headers: ResponseHeaders, body: Uint8Array | readonly Uint8Array[] | undefined): void
  /** As `sent`, for a client in this process. */
  sentObject(status: number, object: ApiObject): void
  /** The first bytes of a watch or an upgraded connection have been sent. */
  streaming(status: number): void
  /** The body as received, where it was read. */
  requestBody(contentType: string, body: Uint8Array): void
  finished(end: { user: UserInfo; status: number; failure: StatusError | undefined; crashed: boolean }): void
}

/** Releases what a filter has taken for a call, once its handler has settled and its answer is sent. */
export interface Finisher {
  finish(call: ServerCall): void
}

const unaudited: CallAudit = {
  keepsResponse: false,
  annotate() {},
  sent() {},
  sentObject() {},
  streaming() {},
  requestBody() {},
  finished() {},
}

/**
 * One request on its way through the chain: what is asked, and by whom. `timings` has the times of its steps, `outcome`
 * how it ended, `responder` sends the answer. The parts that few requests need (query, signal, warnings, body) are made
 * on first use.
 */
export class ServerCall implements Call {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string | undefined>
  readonly services: CallServices
  readonly responder: ServerResponder
  readonly timings: CallTimings
  readonly outcome = new CallOutcome()
  /** Percent-decoded; '' until the `receive` filter has decoded it. */
  path = ''
  info: RequestInfo = noRequestInfo
  longRunning = false
  user: UserInfo = anonymousUser
  /** The verb of constrained impersonation that allowed `user`; '' for others. */
  impersonationConstraint = ''
  /** Audit annotations from authentication. */
  credentialAnnotations: Readonly<Record<string, string>> | undefined = undefined
  auditId = ''
  audit: CallAudit = unaudited
  /** Pattern of the non-resource route that handles the call, for metrics. */
  route = ''
  /** Headers that filters add to the answer: alternating names in lower case and values. */
  readonly responseHeaders: string[] = []
  /** Its time limit; undefined for long-running requests other than watches. */
  deadline: { readonly timeoutMs: number; cancel(): void } | undefined = undefined
  /** Its flow schema, priority level and seats. */
  fairness: ClassifiedRequest | undefined = undefined
  /** Holds its seats while it executes; released early when all that is left is to wait. */
  seat: { release(nowMs: number): void } | undefined = undefined

  readonly #finishers: Finisher[] = []
  #query: QueryParameters | undefined
  #body: RequestBody | undefined
  #warnings: Warnings | undefined
  #controller: AbortController | undefined
  #abortReason: Error | undefined

  constructor(
    services: CallServices,
    responder: ServerResponder,
    method: string,
    url: string,
    headers: Record<string, string | undefined>,
  ) {
    this.services = services
    this.responder = responder
    this.method = method
    this.url = url
    this.headers = headers
    this.timings = new CallTimings(services.clock)
    responder.call = this
  }

  get clock(): Clock {
    return this.services.clock
  }
  get receivedAtMs(): number {
    return this.timings.receivedAtMs
  }
  get httpVersion(): '1.1' | '2' {
    return this.responder.httpVersion
  }
  get remoteAddress(): string {
    return this.responder.remoteAddress
  }
  get objects(): ObjectExchange | undefined {
    return this.responder.objects
  }
  clientCertificates(): PresentedCertificates | undefined {
    const { socket } = this.responder
    return socket === undefined ? undefined : this.services.peers.read(socket)
  }

  headerValues(name: string): readonly string[] {
    const raw = this.responder.rawHeaders
    const values: string[] = []
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const value = raw[at + 1]
      if (value !== undefined && raw[at]?.toLowerCase() === name) values.push(value)
    }
    return values
  }

  /**
   * The first value of a header, '' without one. Other servers use the first of several values, too, never a joined
   * one.
   */
  headerValue(name: string): string {
    const joined = this.headers[name]
    if (joined === undefined || !joined.includes(',')) return joined ?? ''
    return this.headerValues(name)[0] ?? joined
  }

  get query(): QueryParameters {
    this.#query ??= parseQuery(this.url)
    return this.#query
  }

  get warnings(): Warnings {
    this.#warnings ??= createWarnings()
    return this.#warnings
  }
  get hasWarnings(): boolean {
    return this.#warnings !== undefined
  }

  body(): Promise<Uint8Array> {
    return this.#requestBody().whole()
  }
  bodyStream(): Readable {
    return this.#requestBody().stream()
  }
  /** The whole body, once `body` has read it. */
  get bodyRead(): Uint8Array | undefined {
    return this.#body?.bytes
  }

  #requestBody(): RequestBody {
    if (this.#body === undefined) {
      // Long-running requests have no deadline, but their bodies have.
      const timeoutMs = this.longRunning ? this.services.bodyTimeoutMs : undefined
      this.#body = new RequestBody(this.responder.body, this.services, timeoutMs)
      if (this.#abortReason !== undefined) this.#body.cancel(this.#abortReason)
    }
    return this.#body
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason)
      else this.responder.onClose(() => this.#closed())
    }
    return this.#controller.signal
  }

  /** A connection that closes after a complete answer changes nothing. */
  #closed(): void {
    if (!this.responder.complete) this.abort(new ClientGone())
  }

  /** Stops all work on this call; later reasons are ignored. */
  abort(reason: Error): void {
    if (this.#abortReason !== undefined) return
    this.#abortReason = reason
    this.#body?.cancel(reason)
    this.#controller?.abort(reason)
  }

  begun(): void {
    this.seat?.release(this.clock.monotonicMs())
  }

  step(name: string, fields?: Readonly<Record<string, string | number>>): void {
    this.timings.step(name, fields)
  }

  get upgrade(): Upgrade | undefined {
    const protocol = this.responder.upgradeProtocol
    return protocol === '' ? undefined : { protocol, accept: (headers) => this.#accept(headers) }
  }

  #accept(headers: ResponseHeaders): Duplex {
    this.deadline?.cancel()
    const stream = this.responder.upgrade(headers)
    const { signal } = this
    if (signal.aborted) stream.destroy()
    else signal.addEventListener('abort', () => stream.destroy(), { once: true })
    return stream
  }

  onFinish(finisher: Finisher): void {
    this.#finishers.push(finisher)
  }

  /** Runs the finishers, last added first. */
  finish(): void {
    const finishers = this.#finishers
    for (let finisher = finishers.pop(); finisher !== undefined; finisher = finishers.pop()) finisher.finish(this)
  }
}
