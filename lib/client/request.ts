import https from 'node:https'
import { type Clock, type Closable, http, type Metrics, type Tracer } from '../base/index.ts'
import { createConnections } from './connections.ts'
import type { Credentials } from './credentials.ts'
import type { Endpoint } from './endpoint.ts'
import { createClientMetrics } from './metrics.ts'

export interface EndpointClientOptions {
  /** Answers may have this many bytes. Default 3 MiB. */
  readonly bodyBytesMax?: number
  /** Time for a whole request, with its answer. Default 30 s. */
  readonly timeoutMs?: number
  /** Connections at once. Default 64. */
  readonly socketsMax?: number
  readonly userAgent?: string
}

export interface EndpointAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** Sends requests to one endpoint over connections that are kept. */
export interface EndpointClient extends Closable {
  /** A POST of JSON to the endpoint's URL. Rejects with RequestError, or the signal's reason. */
  post(body: string | Uint8Array, signal?: AbortSignal): Promise<EndpointAnswer>
  /** A GET of `url`, or of the endpoint's own. */
  get(url?: string, signal?: AbortSignal): Promise<EndpointAnswer>
  close(): void
}

/** There was no whole answer: no connection, a certificate that is not trusted, a time that was over, too many bytes. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
}

/** `metrics`: where requests are counted, if they are to be. `tracer`: hands the trace on to the endpoint. */
export function createEndpointClient(
  { clock, metrics, tracer }: { clock: Clock; metrics?: Metrics; tracer?: Tracer | undefined },
  endpoint: Endpoint,
  {
    bodyBytesMax = 3 * 1024 * 1024,
    timeoutMs = 30_000,
    socketsMax = 64,
    userAgent = 'pilothouse',
  }: EndpointClientOptions = {},
): EndpointClient {
  const { url: ownUrl, credentials: source } = endpoint
  const isPlain = ownUrl.startsWith('http:')
  const connections = createConnections(endpoint, socketsMax)
  const counted = metrics && createClientMetrics(metrics, () => clock.monotonicMs())

  /** A 401 is tried once more with other credentials: the server has done nothing yet. */
  async function send(
    method: string,
    url: string,
    body: string | Uint8Array | undefined,
    signal: AbortSignal | undefined,
  ): Promise<EndpointAnswer> {
    if (!source) return await exchange(method, url, body, signal, endpoint)
    const about = `${method} ${withoutQuery(url)}`
    const over = new AbortController()
    const timer = clock.after(timeoutMs, () =>
      over.abort(new RequestError(`${about}: no answer within ${timeoutMs} ms`)),
    )
    const within = signal ? AbortSignal.any([signal, over.signal]) : over.signal
    try {
      const shown = await told(about, within, source.current(within))
      const answer = await exchange(method, url, body, within, shown)
      if (answer.status !== 401) return answer
      const other = await told(about, within, source.renewed(shown, within))
      return other ? await exchange(method, url, body, within, other) : answer
    } finally {
      void timer.close()
    }
  }

  function exchange(
    method: string,
    url: string,
    body: string | Uint8Array | undefined,
    signal: AbortSignal | undefined,
    shown: Credentials,
  ): Promise<EndpointAnswer> {
    const { authorization } = shown
    const connection = connections.take(shown)
    const bodyBytes = body === undefined ? undefined : Buffer.byteLength(body)
    const done = counted?.begin(method, url, bodyBytes)
    return new Promise((resolve, reject) => {
      let answer: EndpointAnswer | undefined
      const fail = (reason: string, cause?: unknown): void =>
        reject(new RequestError(`${method} ${withoutQuery(url)}: ${reason}`, { cause }))
      const request = (isPlain ? http : https).request(url, {
        method,
        agent: connection.agent,
        ...(signal ? { signal } : {}),
        headers: {
          accept: 'application/json',
          'user-agent': userAgent,
          ...tracer?.headers(),
          ...(authorization === undefined ? {} : { authorization }),
          ...(bodyBytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': bodyBytes }),
        },
      })
      const timer = clock.after(timeoutMs, () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)))
      request.on('close', () => {
        void timer.close()
        connection.release()
        done?.(answer && { status: answer.status, bodyBytes: answer.body.length })
      })
      request.on('error', (error) => (signal?.aborted ? reject(signal.reason) : fail(error.message, error)))
      request.on('response', (response) => {
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > bodyBytesMax) request.destroy(new Error(`the answer has more than ${bodyBytesMax} bytes`))
          else chunks.push(chunk)
        })
        response.on('error', (error) => fail(error.message, error))
        response.on('end', () => {
          answer = { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }
          resolve(answer)
        })
      })
      request.end(body)
    })
  }

  return {
    post: (body, signal) => send('POST', ownUrl, body, signal),
    get: (url = ownUrl, signal) => send('GET', url, undefined, signal),
    close: () => connections.close(),
  }
}

/** Why there are no credentials, as a request's failure. */
async function told<Result>(about: string, signal: AbortSignal, getting: Promise<Result>): Promise<Result> {
  try {
    return await getting
  } catch (cause) {
    signal.throwIfAborted()
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new RequestError(`${about}: getting credentials: ${why}`, { cause })
  }
}

/** Queries may be confidential. */
function withoutQuery(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}
