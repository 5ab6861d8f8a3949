import { type Clock, type Closable, type Metrics, networkErrorText } from '../../base/index.ts'
import type { Credentials } from '../credentials.ts'
import { describeRequest } from '../describerequest.ts'
import type { ServerEndpoint } from '../endpoint.ts'
import { createEndpointConnections, type EndpointConnections } from '../endpointconnections.ts'
import { createHttp2Connections, type Http2Connections } from '../http2/connections.ts'
import { RequestHeads } from '../http2/requestheads.ts'
import { sendOverHttp2 } from '../http2/send.ts'
import { createClientMetrics } from '../metrics.ts'
import { RequestError } from '../request.ts'
import type { AnswerHead, AnswerSink, HttpRequest } from './exchange.ts'
import { sendOverHttp1 } from './overhttp1.ts'

/** Sends requests to one server over kept connections, with the endpoint's credentials. */
interface HttpConnector extends Closable {
  /** `close` of what it returns cancels the request; the sink gets nothing more. It gets nothing before the return. */
  request(request: HttpRequest, sink: AnswerSink): Closable
  /** Ends open requests. */
  close(): void
}

/** Connections that several clients of one server share, each with its own credentials in its requests. */
export type ServerConnections = EndpointConnections<Http2Connections>

export function createServerConnections(
  { clock }: { readonly clock: Clock },
  endpoint: ServerEndpoint,
  /** For HTTP/1.1, where each request and watch takes one. */
  socketsMax = 256,
): ServerConnections {
  return createEndpointConnections(endpoint, socketsMax, (_url, target) => createHttp2Connections(clock, target))
}

export interface ConnectorDependencies {
  readonly clock: Clock
  readonly metrics?: Metrics | undefined
  /** Shared with other clients, and closed by their owner. Absent: its own. */
  readonly connections?: ServerConnections | undefined
}

export function createHttpConnector(
  { clock, metrics, connections: shared }: ConnectorDependencies,
  endpoint: ServerEndpoint,
  { socketsMax, userAgent }: { readonly socketsMax: number; readonly userAgent: string },
): HttpConnector {
  const root = endpoint.url.replace(/\/+$/, '')
  const connections = shared ?? createServerConnections({ clock }, endpoint, socketsMax)
  const heads = new RequestHeads(root, userAgent)
  const counted = metrics && createClientMetrics(metrics, () => clock.monotonicMs())
  const open = new Set<Call>()
  let isClosed = false

  /** One attempt: over HTTP/2 where the server speaks it. */
  function attempt(request: HttpRequest, shown: Credentials, sink: AnswerSink): Closable {
    const { method, url, headers, body, timeoutMs, isEndless = false } = request
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const { agent, negotiation, release } = connections.take(shown)
    const done = counted?.begin(method, root + url, bytes?.length)
    let answered: { readonly status: number; bodyBytes: number } | undefined
    let current: Closable | undefined
    let isOver = false

    function settle(): boolean {
      if (isOver) return false
      isOver = true
      release()
      done?.(answered)
      return true
    }

    const measured: AnswerSink = {
      onHead(answer) {
        answered = { status: answer.status, bodyBytes: 0 }
        sink.onHead(answer)
      },
      onData(chunk) {
        if (answered) answered.bodyBytes += chunk.length
        sink.onData(chunk)
      },
      onEnd(error) {
        if (settle()) sink.onEnd(error)
      },
    }
    const overHttp1 = (): void => {
      const { authorization } = shown
      const common = { 'user-agent': userAgent, ...(authorization === undefined ? {} : { authorization }) }
      current = sendOverHttp1({ agent, root }, request, common, measured)
    }
    if (!negotiation) overHttp1()
    else {
      const over2 = { clock, connections: negotiation }
      const head = heads.encode({ method, url, headers, bodyBytes: bytes?.length }, shown)
      const sent = sendOverHttp2(over2, { head, body: bytes, timeoutMs, isEndless }, measured, overHttp1)
      // Where the protocol is known to be HTTP/1.1, the request has been passed on by now.
      current ??= sent
    }
    return {
      close() {
        if (settle()) void current?.close()
      },
    }
  }

  const host: CallHost = {
    clock,
    source: endpoint.credentials,
    fixed: endpoint,
    attempt,
    describe: ({ method, url }, cause) =>
      new RequestError(`${describeRequest(method, root + url)}: ${networkErrorText(cause)}`, { cause }),
    over: (call) => void open.delete(call),
  }
  return {
    request(request, sink) {
      const call = new Call(host, request, sink)
      open.add(call)
      // The sink hears nothing before the caller has got what cancels the request.
      queueMicrotask(() => {
        if (isClosed) call.fail(closedError())
        else call.begin()
      })
      return call
    },
    close() {
      isClosed = true
      for (const call of open) call.fail(closedError())
      if (!shared) connections.close()
    },
  }
}

interface CallHost {
  readonly clock: Clock
  readonly source: ServerEndpoint['credentials']
  readonly fixed: Credentials
  attempt(request: HttpRequest, shown: Credentials, sink: AnswerSink): Closable
  describe(request: HttpRequest, cause: Error): Error
  over(call: Call): void
}

/** A refused answer is kept up to this size, until it is known whether there are other credentials. */
const refusedBytesMax = 64 * 1024

/** One request with its time limit. A 401 is retried once with other credentials: the server has done nothing yet. */
class Call implements Closable {
  readonly #host: CallHost
  readonly #request: HttpRequest
  readonly #sink: AnswerSink
  readonly #onAbort: () => void
  #timer: Closable | undefined
  #attempt: Closable | undefined
  #isOver = false
  /** The server has sent something since the timer was set. */
  #isAlive = false

  constructor(host: CallHost, request: HttpRequest, sink: AnswerSink) {
    this.#host = host
    this.#request = request
    this.#sink = sink
    this.#onAbort = () => this.fail(request.signal?.reason as Error)
  }

  begin(): void {
    if (this.#isOver) return
    const { signal } = this.#request
    if (signal?.aborted === true) return this.#onAbort()
    signal?.addEventListener('abort', this.#onAbort, { once: true })
    this.#await()
    const { source, fixed } = this.#host
    if (!source) return this.#send(fixed, false)
    source.current(signal).then(
      (shown) => this.#send(shown, true),
      (error: unknown) => this.fail(error),
    )
  }

  close(): void {
    if (this.#settle()) void this.#attempt?.close()
  }

  fail(error: unknown): void {
    if (!this.#settle()) return
    void this.#attempt?.close()
    this.#sink.onEnd(error instanceof Error ? error : new Error(String(error)))
  }

  /** The answer must begin in time, and go on. */
  #await(): void {
    this.#isAlive = false
    this.#timer = this.#host.clock.after(this.#request.timeoutMs, () => {
      if (this.#isAlive) this.#await()
      else this.fail(this.#host.describe(this.#request, new Error('context deadline exceeded')))
    })
  }

  #send(shown: Credentials, mayRenew: boolean): void {
    if (this.#isOver) return
    let refused: { readonly head: AnswerHead; readonly chunks: Buffer[]; bytes: number } | undefined
    const sink = this.#sink
    const accept = (): void => {
      if (!refused) return
      const { head, chunks } = refused
      refused = undefined
      sink.onHead(head)
      for (const chunk of chunks) if (!this.#isOver) sink.onData(chunk)
    }
    const end = (): void => {
      if (this.#settle()) sink.onEnd()
    }
    this.#attempt = this.#host.attempt(this.#request, shown, {
      onHead: (head) => {
        if (this.#isOver) return
        this.#isAlive = true
        if (mayRenew && head.status === 401) refused = { head, chunks: [], bytes: 0 }
        else {
          if (this.#request.isEndless === true && head.status < 300) void this.#timer?.close()
          sink.onHead(head)
        }
      },
      onData: (chunk) => {
        if (this.#isOver) return
        this.#isAlive = true
        if (!refused) return sink.onData(chunk)
        refused.chunks.push(chunk)
        refused.bytes += chunk.length
        if (refused.bytes > refusedBytesMax) accept()
      },
      onEnd: (error) => {
        if (error) return this.fail(this.#host.describe(this.#request, error))
        if (!refused) return end()
        void this.#renew(shown, () => {
          accept()
          end()
        })
      },
    })
  }

  async #renew(shown: Credentials, otherwise: () => void): Promise<void> {
    try {
      const other = await this.#host.source?.renewed(shown, this.#request.signal)
      if (other) this.#send(other, false)
      else if (!this.#isOver) otherwise()
    } catch (error) {
      this.fail(error)
    }
  }

  /** False: it was over before. */
  #settle(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    void this.#timer?.close()
    this.#request.signal?.removeEventListener('abort', this.#onAbort)
    this.#host.over(this)
    return true
  }
}

function closedError(): Error {
  return new Error('the client is closed')
}
