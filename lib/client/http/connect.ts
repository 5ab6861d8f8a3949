import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { type Clock, type Closable, type Metrics, networkErrorText, nodeHttp } from '../../base/index.ts'
import type { Credentials } from '../credentials.ts'
import { describeRequest } from '../describerequest.ts'
import type { ServerEndpoint } from '../endpoint.ts'
import { createEndpointConnections } from '../endpointconnections.ts'
import { createClientMetrics } from '../metrics.ts'
import { RequestError } from '../request.ts'

/** One encoded request. */
export interface HttpRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
  readonly signal?: AbortSignal | undefined
  /** From the request to the answer's head. */
  readonly timeoutMs: number
}

/** Sends requests to one server over kept connections, with the endpoint's credentials. */
interface HttpConnector extends Closable {
  /** Resolves with the answer's head. `over` is called once, when the answer has ended or broken. */
  request(request: HttpRequest): Promise<IncomingMessage>
  close(): void
}

export function createHttpConnector(
  { clock, metrics }: { readonly clock: Clock; readonly metrics?: Metrics | undefined },
  endpoint: ServerEndpoint,
  { socketsMax, userAgent }: { readonly socketsMax: number; readonly userAgent: string },
): HttpConnector {
  const { credentials: source } = endpoint
  const root = endpoint.url.replace(/\/+$/, '')
  const isPlain = root.startsWith('http:')
  const connections = createEndpointConnections(endpoint, socketsMax)
  const counted = metrics && createClientMetrics(metrics, () => clock.monotonicMs())

  function attempt(request: HttpRequest, shown: Credentials): Promise<IncomingMessage> {
    const { method, headers, body, signal, timeoutMs } = request
    const url = root + request.url
    const connection = connections.take(shown)
    const bodyBytes = body === undefined ? undefined : Buffer.byteLength(body)
    const done = counted?.begin(method, url, bodyBytes)
    return new Promise((resolve, reject) => {
      const fail = (cause: Error): void =>
        reject(new RequestError(`${describeRequest(method, url)}: ${networkErrorText(cause)}`, { cause }))
      let status = 0
      let answered = 0
      const sent = (isPlain ? nodeHttp() : https).request(url, {
        method,
        agent: connection.agent,
        signal,
        headers: {
          'user-agent': userAgent,
          ...(shown.authorization === undefined ? {} : { authorization: shown.authorization }),
          ...headers,
          ...(bodyBytes === undefined ? {} : { 'content-length': bodyBytes }),
        },
      })
      const timer = clock.after(timeoutMs, () => sent.destroy(new Error('context deadline exceeded')))
      sent.on('close', () => {
        void timer.close()
        connection.release()
        done?.(status === 0 ? undefined : { status, bodyBytes: answered })
      })
      sent.on('error', (error) => {
        if (signal?.aborted) reject(signal.reason as Error)
        else fail(error)
      })
      // The server changes protocols without a request for it: Node emits only this event.
      sent.on('upgrade', (_response, socket) => {
        socket.destroy()
        fail(new Error('unexpected change of protocols'))
      })
      sent.on('response', (response) => {
        void timer.close()
        status = response.statusCode ?? 0
        response.on('data', (chunk: Buffer) => (answered += chunk.length))
        response.pause()
        resolve(response)
      })
      sent.end(body)
    })
  }

  return {
    async request(request) {
      if (!source) return await attempt(request, endpoint)
      const shown = await source.current(request.signal)
      const answer = await attempt(request, shown)
      if (answer.statusCode !== 401) return answer
      // A 401 is retried once with other credentials: the server has done nothing yet.
      const other = await source.renewed(shown, request.signal)
      if (!other) return answer
      answer.destroy()
      return await attempt(request, other)
    },
    close: () => connections.close(),
  }
}
