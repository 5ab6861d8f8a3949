import type { Agent, IncomingHttpHeaders, RequestOptions } from 'node:http'
import http2, { type ClientHttp2Session } from 'node:http2'
import https from 'node:https'
import { http } from '../base/index.ts'

/** One request, and the limits of its answer. */
export interface Exchange {
  readonly method: string
  readonly url: string
  /** The parts of `url` as Node's clients take them, where they are known. */
  readonly target: RequestOptions | undefined
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: string | Uint8Array | undefined
  readonly bodyBytesMax: number
  /** The request is given up when this aborts: the answer is rejected with the signal's reason. */
  readonly signal: AbortSignal
}

export interface EndpointAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** The server has not begun with the request: it may be sent again on another connection. */
export class Unprocessed extends Error {
  override readonly name = 'Unprocessed'
}

export function exchangeOverHttp1(agent: Agent, exchange: Exchange): Promise<EndpointAnswer> {
  const { method, url, target, headers, body, signal } = exchange
  return new Promise((resolve, reject) => {
    const client = url.startsWith('http:') ? http : https
    const options = { ...target, method, agent, signal, headers }
    const request = target ? client.request(options) : client.request(url, options)
    const fail = (error: Error): void => reject(signal.aborted ? signal.reason : error)
    request.on('error', fail)
    request.on('response', (response) => {
      const collect = collector(exchange, (error) => request.destroy(error))
      response.on('data', collect.add)
      response.on('error', fail)
      response.on('end', () => resolve(collect.answer(response.statusCode ?? 0, response.headers)))
    })
    request.end(body)
  })
}

/** Rejects with Unprocessed where the server said, or the connection's end proves, that the request was not processed. */
export function exchangeOverHttp2(session: ClientHttp2Session, exchange: Exchange): Promise<EndpointAnswer> {
  const { method, url, headers, body, signal } = exchange
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    if (session.closed || session.destroyed) return reject(new Unprocessed('the connection is closing'))
    const { pathname, search, host } = new URL(url)
    const stream = session.request(
      { ...headers, ':method': method, ':path': pathname + search, ':authority': host },
      { endStream: body === undefined },
    )
    const give = (): void => stream.close(http2.constants.NGHTTP2_CANCEL)
    signal.addEventListener('abort', give)
    const collect = collector(exchange, (error) => stream.destroy(error))
    let answered: IncomingHttpHeaders | undefined
    let failure: Error | undefined
    stream.on('response', (given) => (answered = given))
    stream.on('data', collect.add)
    stream.on('error', (error) => (failure = error))
    stream.on('close', () => {
      signal.removeEventListener('abort', give)
      const { rstCode } = stream
      if (signal.aborted) return reject(signal.reason as Error)
      const refused = unprocessedBy(rstCode, failure)
      if (refused) return reject(refused)
      if (failure) return reject(failure)
      if (!answered || rstCode !== http2.constants.NGHTTP2_NO_ERROR)
        return reject(new Error(`the server ended the request with code ${rstCode}`))
      const { ':status': status, ...rest } = answered
      return resolve(collect.answer(Number(status), rest))
    })
    if (body !== undefined) stream.end(body)
  })
}

/** The error of a stream whose request the server has not begun with; undefined: it may have. */
export function unprocessedBy(rstCode: number | undefined, failure: Error | undefined): Unprocessed | undefined {
  const isRefused = rstCode === http2.constants.NGHTTP2_REFUSED_STREAM || isNeverSent(failure)
  return isRefused ? new Unprocessed('the server refused the request before it began with it') : undefined
}

function isNeverSent(error: Error | undefined): boolean {
  const code = (error as { code?: unknown } | undefined)?.code
  return code === 'ERR_HTTP2_GOAWAY_SESSION' || code === 'ERR_HTTP2_INVALID_SESSION'
}

/** The chunks of an answer's body; `stop` is called where they are too many. */
function collector({ bodyBytesMax }: Exchange, stop: (error: Error) => void) {
  const chunks: Buffer[] = []
  let bytes = 0
  return {
    add(chunk: Buffer): void {
      bytes += chunk.length
      if (bytes > bodyBytesMax) stop(new Error(`the answer has more than ${bodyBytesMax} bytes`))
      else chunks.push(chunk)
    },
    answer: (status: number, headers: EndpointAnswer['headers']): EndpointAnswer => ({
      status,
      headers,
      body: Buffer.concat(chunks),
    }),
  }
}
