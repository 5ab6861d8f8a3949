import type { Duplex, Readable } from 'node:stream'
import { assert, type Clock, type SwapSet } from '../base/index.ts'
import type { FairAdmission } from '../fairness/index.ts'
import type { ApiObject, StatusError } from '../object/index.ts'
import type { PresentedCertificates } from '../pki/index.ts'
import {
  type AuditAnnotations,
  anonymousUser,
  type Call,
  noRequestInfo,
  type ObjectExchange,
  parseQuery,
  type RequestInfo,
  type ResponseHeaders,
  type Upgrade,
  type UserInfo,
  type Warnings,
} from '../request/index.ts'
import { readBody } from './body.ts'
import { streamBody } from './bodystream.ts'
import type { BufferPool } from './bufferpool.ts'
import { ClientGone } from './errors.ts'
import type { ChunkFrames } from './responder/chunks.ts'
import type { Transport } from './responder/transport.ts'
import type { Expiring, TimerWheel } from './timerwheel.ts'
import type { PeerCertificates } from './tls/peer.ts'
import { createWarnings } from './warnings.ts'

/** The services that all calls of one server share. */
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
  /** The wheel's turn: a call's deadline has passed. */
  expired(call: ServerCall): void
}

/** Hears of a call's answer as it leaves, and of its end. */
interface CallObserver {
  /** `sent` wants the answer's body. */
  readonly keepsResponse: boolean
  sent(status: number, headers: ResponseHeaders, body: Uint8Array | readonly Uint8Array[] | undefined): void
  /** As `sent`, to a client in this process. */
  sentObject(status: number, object: ApiObject): void
  /** An endless answer begins. */
  streaming(status: number): void
  /** The body as the client sent it, where it was read. */
  requestBody(contentType: string, body: Uint8Array): void
  finished(end: { user: UserInfo; status: number; failure: StatusError | undefined; crashed: boolean }): void
}

/** Something to do when a call is over: its handler has settled and its answer is out. Long-lived: no closure a call. */
export interface Finisher {
  finish(call: ServerCall): void
}

/** A step that a handler came to, by the monotonic clock. */
interface Step {
  readonly name: string
  readonly atMs: number
  readonly about: Readonly<Record<string, string | number>> | undefined
}

/** A call may try its write many times: later steps are left out. */
const stepsMax = 100

const noAnnotations: AuditAnnotations = { annotate() {} }
const noBody = new Uint8Array(0)

/**
 * One request on its way through the chain. The parts that few requests ask for (query, signal, warnings, body) are
 * made on first use.
 */
export class ServerCall implements Call, Expiring {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string | undefined>
  readonly transport: Transport
  readonly receivedAtMs: number
  readonly startedMs: number
  /** Percent-decoded; '' until the first filter has looked at it. */
  path = ''
  info: RequestInfo = noRequestInfo
  user: UserInfo = anonymousUser
  audit: AuditAnnotations = noAnnotations
  auditId = ''
  observer: CallObserver | undefined = undefined
  /** Audit annotations from authentication. */
  credentialNotes: Readonly<Record<string, string>> | undefined = undefined
  /** The error that the client was told of. */
  failure: StatusError | undefined = undefined
  /** The failure was an unexpected error. */
  crashed = false
  /** The whole body, once it has been read. */
  bodyRead: Uint8Array | undefined = undefined
  longRunning = false
  /** Its time limit; for a watch, until it begins. Other long-running requests have none: 0. */
  timeoutMs = 0
  /** The seats that it takes of its priority level; given back early when all that is left is to wait. */
  seat: { giveBack(nowMs: number): void } | undefined = undefined
  /** The deadline has answered the client: output of the handler is dropped from then on. */
  abandoned = false
  /** The handler failed after the deadline had answered its client. */
  failedLate = false
  /** Pattern of the non-resource route that took the call, for metrics. */
  route = ''
  /** Headers that filters add to the answer: alternating names in lower case and values. */
  readonly responseHeaders: string[] = []
  /** Its flow schema, priority level and seats, where fairness has placed it. */
  admission: FairAdmission | undefined = undefined
  // When the steps were done that may wait, by the monotonic clock; 0: not done.
  authenticatedMs = 0
  seatedMs = 0
  authorizedMs = 0
  /** Those that its handler has come to. */
  steps: Step[] | undefined = undefined
  // The wheel's.
  dueMs = 0
  slot: SwapSet<Expiring> | undefined = undefined
  place = -1

  readonly #services: CallServices
  readonly #finishers: Finisher[] = []
  #query: URLSearchParams | undefined
  #controller: AbortController | undefined
  #abortReason: Error | undefined
  #warnings: Warnings | undefined
  #body: Promise<Uint8Array> | undefined
  #reading: { cancel(reason: Error): void } | undefined

  constructor(
    services: CallServices,
    transport: Transport,
    method: string,
    url: string,
    headers: Record<string, string | undefined>,
  ) {
    this.#services = services
    this.transport = transport
    this.method = method
    this.url = url
    this.headers = headers
    this.receivedAtMs = services.clock.now()
    this.startedMs = services.clock.monotonicMs()
    transport.call = this
  }

  get compress(): boolean {
    return this.#services.compress
  }
  get buffers(): BufferPool {
    return this.#services.buffers
  }
  get chunkFrames(): ChunkFrames {
    return this.#services.chunkFrames
  }
  get clock(): Clock {
    return this.#services.clock
  }
  get httpVersion(): '1.1' | '2' {
    return this.transport.httpVersion
  }
  get remoteAddress(): string {
    return this.transport.remoteAddress
  }
  get responder(): Transport {
    return this.transport
  }
  get objects(): ObjectExchange | undefined {
    return this.transport.objects
  }
  clientCertificates(): PresentedCertificates | undefined {
    const { socket } = this.transport
    return socket === undefined ? undefined : this.#services.peers.read(socket)
  }

  headerValues(name: string): readonly string[] {
    const raw = this.transport.rawHeaders
    const values: string[] = []
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const value = raw[at + 1]
      if (value !== undefined && raw[at]?.toLowerCase() === name) values.push(value)
    }
    return values
  }

  /** The first value of a header that may have only one, as other servers read it, '' without one: never a joined one. */
  headerValue(name: string): string {
    const joined = this.headers[name]
    if (joined === undefined || !joined.includes(',')) return joined ?? ''
    return this.headerValues(name)[0] ?? joined
  }

  get query(): URLSearchParams {
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

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason)
      else this.transport.onClose(() => this.#closed())
    }
    return this.#controller.signal
  }

  /** A connection that closes behind a complete answer changes nothing. */
  #closed(): void {
    if (!this.transport.complete) this.abort(new ClientGone())
  }

  /** Tells all work on this call to stop. The first reason stays. */
  abort(reason: Error): void {
    if (this.#abortReason !== undefined) return
    this.#abortReason = reason
    this.#reading?.cancel(reason)
    this.#controller?.abort(reason)
  }
  get aborted(): Error | undefined {
    return this.#abortReason
  }

  begun(): void {
    this.seat?.giveBack(this.clock.monotonicMs())
  }

  step(name: string, about?: Step['about']): void {
    const step = { name, atMs: this.clock.monotonicMs(), about }
    if (this.steps === undefined) this.steps = [step]
    else if (this.steps.length < stepsMax) this.steps.push(step)
  }

  expire(): void {
    this.#services.expired(this)
  }

  body(): Promise<Uint8Array> {
    this.#body ??= this.#read()
    return this.#body
  }

  bodyStream(): Readable {
    assert(this.#body === undefined && this.#reading === undefined, 'a body is read once')
    const stream = streamBody(this.transport.body)
    this.#reading = { cancel: (reason) => stream.destroy(reason) }
    if (this.#abortReason !== undefined) stream.destroy(this.#abortReason)
    return stream
  }

  get upgrade(): Upgrade | undefined {
    const protocol = this.transport.upgradeProtocol
    return protocol === '' ? undefined : { protocol, accept: (headers) => this.#accept(headers) }
  }

  #accept(headers: ResponseHeaders): Duplex {
    this.#services.timers.remove(this)
    const stream = this.transport.upgrade(headers)
    const { signal } = this
    if (signal.aborted) stream.destroy()
    else signal.addEventListener('abort', () => stream.destroy(), { once: true })
    return stream
  }

  async #read(): Promise<Uint8Array> {
    const source = this.transport.body
    if (source.empty) return noBody
    if (this.#abortReason !== undefined) throw this.#abortReason
    const { timers, bodyBytesMax, bodyTimeoutMs } = this.#services
    const reading = readBody(source, bodyBytesMax)
    this.#reading = reading
    // Long-running requests have no deadline, but their bodies have.
    if (this.longRunning) timers.add(reading, bodyTimeoutMs)
    try {
      this.bodyRead = await reading.done
      return this.bodyRead
    } finally {
      timers.remove(reading)
    }
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
