import type { Agent } from 'node:http'
import { urlToHttpOptions } from 'node:url'
import { type Clock, type Closable, type Metrics, networkErrorText, type Tracer } from '../base/index.ts'
import type { Credentials } from './credentials.ts'
import { describeRequest } from './describerequest.ts'
import type { ServerEndpoint } from './endpoint.ts'
import { createEndpointConnections } from './endpointconnections.ts'
import {
  BrokenBody,
  type ClientExchange,
  type EndpointAnswer,
  exchangeOverHttp1,
  exchangeOverHttp2,
  Unprocessed,
} from './exchange.ts'
import { createClientMetrics } from './metrics.ts'
import { type Negotiation, negotiating } from './negotiation.ts'
import { redirection, redirectsMax } from './redirect.ts'

export interface EndpointClientOptions {
  /** Maximum size of an answer. Default 3 MiB. */
  readonly bodyBytesMax?: number
  /** Time for a whole request, with its answer. Default 30 s. */
  readonly timeoutMs?: number
  /** Connections at once. Default 64. */
  readonly socketsMax?: number
  readonly userAgent?: string
}

/** Sends requests to one endpoint over kept connections. */
export interface EndpointClient extends Closable {
  /**
   * A POST of JSON to the endpoint's URL. Rejects with RequestError, or the signal's reason. `timeoutMs` and
   * `bodyBytesMax` apply to this request.
   */
  post(
    body: string | Uint8Array,
    signal?: AbortSignal,
    timeoutMs?: number,
    bodyBytesMax?: number,
  ): Promise<EndpointAnswer>
  /** A GET of `url`, or of the endpoint's URL. */
  get(url?: string, signal?: AbortSignal): Promise<EndpointAnswer>
  close(): void
}

type SentRequest = Pick<ClientExchange, 'method' | 'url' | 'body' | 'bodyBytesMax'>

/** There was no complete answer: no connection, an untrusted certificate, a timeout, too many bytes. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  /** The request timed out. */
  readonly isTimeout: boolean
  /** The message without the method and URL; undefined: it has none. */
  readonly why: string | undefined

  constructor(
    message: string,
    { cause, isTimeout = false, why }: { cause?: unknown; isTimeout?: boolean; why?: string } = {},
  ) {
    super(message, { cause })
    this.isTimeout = isTimeout
    this.why = why
  }
}

/** `metrics` counts requests. `tracer` passes the trace on to the endpoint. */
export function createEndpointClient(
  { clock, metrics, tracer }: { clock: Clock; metrics?: Metrics; tracer?: Tracer | undefined },
  endpoint: ServerEndpoint,
  {
    bodyBytesMax: bodyBytesMaxDefault = 3 * 1024 * 1024,
    timeoutMs: timeoutMsDefault = 30_000,
    socketsMax = 64,
    userAgent = 'pilothouse',
  }: EndpointClientOptions = {},
): EndpointClient {
  const { url: ownUrl, credentials: source } = endpoint
  const connections = createEndpointConnections(
    endpoint,
    socketsMax,
    URL.canParse(ownUrl) ? negotiating(clock) : undefined,
  )
  const ownTarget = URL.canParse(ownUrl) ? urlToHttpOptions(new URL(ownUrl)) : undefined
  const counted = metrics && createClientMetrics(metrics, () => clock.monotonicMs())

  /** A 401 is retried once with other credentials: the server has done nothing yet. */
  async function send(
    method: string,
    url: string,
    body: string | Uint8Array | undefined,
    signal: AbortSignal | undefined,
    timeoutMs = timeoutMsDefault,
    bodyBytesMax = bodyBytesMaxDefault,
  ): Promise<EndpointAnswer> {
    const sent = { method, url, body, bodyBytesMax }
    if (!source) return await follow(sent, signal, endpoint, timeoutMs)
    const about = describeRequest(method, url)
    const over = new AbortController()
    const timer = clock.after(timeoutMs, () =>
      over.abort(new RequestError(`${about}: context deadline exceeded`, { isTimeout: true })),
    )
    const within = signal ? AbortSignal.any([signal, over.signal]) : over.signal
    try {
      const shown = await told(about, within, source.current(within))
      const answer = await follow(sent, within, shown, timeoutMs)
      if (answer.status !== 401) return answer
      const other = await told(about, within, source.renewed(shown, within))
      return other ? await follow(sent, within, other, timeoutMs) : answer
    } finally {
      void timer.close()
    }
  }

  async function follow(
    sent: SentRequest,
    signal: AbortSignal | undefined,
    shown: Credentials,
    timeoutMs: number,
  ): Promise<EndpointAnswer> {
    const untilMs = clock.monotonicMs() + timeoutMs
    let { url } = sent
    for (let redirects = 0; redirects < redirectsMax; redirects++) {
      const answer = await exchange({ ...sent, url }, signal, shown, untilMs - clock.monotonicMs())
      const next = redirection(url, answer)
      if (next === undefined) return answer
      url = next
    }
    throw new RequestError(`${describeRequest(sent.method, url)}: stopped after ${redirectsMax} redirects`)
  }

  async function exchange(
    { method, url, body, bodyBytesMax }: SentRequest,
    signal: AbortSignal | undefined,
    shown: Credentials,
    timeoutMs: number,
  ): Promise<EndpointAnswer> {
    signal?.throwIfAborted()
    const { authorization } = shown
    const connection = connections.take(shown)
    const { agent } = connection
    // A GET may be for another server.
    const negotiation = url === ownUrl || isSameOrigin(url, ownUrl) ? connection.negotiation : undefined
    const bodyBytes = body === undefined ? undefined : Buffer.byteLength(body)
    const done = counted?.begin(method, url, bodyBytes)
    const over = new AbortController()
    let isTimeout = false
    const timer = clock.after(timeoutMs, () => {
      isTimeout = true
      over.abort(new Error('context deadline exceeded'))
    })
    // Costs a tenth of a composite signal.
    const forward = (): void => over.abort(signal?.reason)
    signal?.addEventListener('abort', forward, { once: true })
    const headers = {
      accept: 'application/json',
      'user-agent': userAgent,
      ...tracer?.headers(),
      ...(authorization === undefined ? {} : { authorization }),
      ...(bodyBytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': bodyBytes }),
    }
    let answer: EndpointAnswer | undefined
    try {
      answer = await sendNegotiated(
        { agent, negotiation },
        {
          method,
          url,
          target: url === ownUrl ? ownTarget : undefined,
          headers,
          body,
          bodyBytesMax,
          signal: over.signal,
        },
        () => isTimeout,
      )
      return answer
    } catch (error) {
      signal?.throwIfAborted()
      throw requestError(method, url, error, isTimeout)
    } finally {
      void timer.close()
      signal?.removeEventListener('abort', forward)
      connection.release()
      done?.(answer && { status: answer.status, bodyBytes: answer.body.length })
    }
  }

  return {
    post: (body, signal, timeoutMs, bytesMax) => send('POST', ownUrl, body, signal, timeoutMs, bytesMax),
    get: (url = ownUrl, signal) => send('GET', url, undefined, signal),
    close: () => connections.close(),
  }
}

function requestError(method: string, url: string, error: unknown, isTimeout: boolean): RequestError {
  const cause = error instanceof Error ? error : new Error(String(error))
  if (cause instanceof BrokenBody) {
    const message = `unexpected error when reading response body. Please retry. Original error: ${cause.message}`
    return new RequestError(message, { cause: cause.cause, isTimeout })
  }
  const why = isTimeout ? 'context deadline exceeded' : networkErrorText(cause)
  return new RequestError(`${describeRequest(method, url)}: ${why}`, { cause, isTimeout, why })
}

/** Maximum number of attempts of a request whose connections end under it. */
const triesMax = 3

/**
 * Uses HTTP/2 where the server supports it. A request that the server has not processed is sent again; one that may
 * have been processed is not. A session on which a request timed out (`isLate`) gets no others: its peer may be
 * unreachable.
 */
async function sendNegotiated(
  { agent, negotiation }: { readonly agent: Agent; readonly negotiation: Negotiation | undefined },
  exchange: ClientExchange,
  isLate: () => boolean,
): Promise<EndpointAnswer> {
  for (let tries = 1; negotiation; tries++) {
    const found = negotiation.session()
    const session = found instanceof Promise ? await untilAborted(found, exchange.signal) : found
    if (!session) break
    try {
      return await exchangeOverHttp2(session, exchange)
    } catch (error) {
      if (isLate()) negotiation.retire(session)
      if (!(error instanceof Unprocessed) || tries === triesMax) throw error
    }
  }
  return await exchangeOverHttp1(agent, exchange)
}

function isSameOrigin(left: string, right: string): boolean {
  return URL.parse(left)?.origin === URL.parse(right)?.origin
}

async function untilAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([value, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Why there are no credentials, as a RequestError. */
async function told<Result>(about: string, signal: AbortSignal, getting: Promise<Result>): Promise<Result> {
  try {
    return await getting
  } catch (cause) {
    signal.throwIfAborted()
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new RequestError(`${about}: getting credentials: ${why}`, { cause })
  }
}
