import type { Agent, IncomingHttpHeaders, RequestOptions } from 'node:http'
import http2, { type ClientHttp2Session } from 'node:http2'
import https from 'node:https'
import { networkErrorText, nodeHttp } from '../base/index.ts'

/** One request, and the limits of its answer. */
export interface ClientExchange {
  readonly method: string
  readonly url: string
  /** The parts of `url` in the form of Node's clients, where they are known. */
  readonly target: RequestOptions | undefined
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: string | Uint8Array | undefined
  readonly bodyBytesMax: number
  /** Aborting it cancels the request: the answer is rejected with the signal's reason. */
  readonly signal: AbortSignal
}

export interface EndpointAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** The answer's body broke off after its head. */
export class BrokenBody extends Error {
  override readonly name = 'BrokenBody'

  constructor(cause: unknown) {
    const text = networkErrorText(cause)
    super(text === 'EOF' ? 'unexpected EOF' : text, { cause })
  }
}

/** The server has not processed the request: it may be sent again on another connection. */
export class Unprocessed extends Error {
  override readonly name = 'Unprocessed'
}

/** Maximum size of an answer's head; some servers send long policies and cookies. */
const headBytesMax = 1024 * 1024

export function exchangeOverHttp1(agent: Agent, exchange: ClientExchange): Promise<EndpointAnswer> {
  const { method, url, target, headers, body, signal } = exchange
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const client = url.startsWith('http:') ? nodeHttp() : https
    const options = { ...target, method, agent, headers, maxHeaderSize: headBytesMax }
    const request = target ? client.request(options) : client.request(url, options)
    let collect: Collector | undefined
    let isSettled = false
    // Node's own option watches the request with a dozen listeners.
    const give = (): void => void request.destroy(signal.reason as Error)
    signal.addEventListener('abort', give)
    const settle = (): void => {
      isSettled = true
      signal.removeEventListener('abort', give)
    }
    const fail = (error: Error): void => {
      if (isSettled) return
      settle()
      const cause: unknown = signal.aborted ? signal.reason : error
      reject(collect && !collect.isFull() ? new BrokenBody(cause) : cause)
    }
    request.on('error', fail)
    // The connection ended in a way for which Node has no event.
    request.on('close', () => {
      if (!isSettled) fail(new Error('EOF'))
    })
    request.on('response', (response) => {
      const body = collector(exchange, (error) => request.destroy(error))
      collect = body
      response.on('data', body.add)
      response.on('error', fail)
      response.on('end', () => {
        settle()
        resolve(body.answer(response.statusCode ?? 0, response.headers))
      })
    })
    // The server changes to another protocol without a request for it: its answer has no body.
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      settle()
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.alloc(0) })
    })
    request.end(body)
    return undefined
  })
}

/**
 * Rejects with Unprocessed when the server states, or the connection's end proves, that the request was not processed.
 */
export function exchangeOverHttp2(session: ClientHttp2Session, exchange: ClientExchange): Promise<EndpointAnswer> {
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
      const isReset = (failure as { code?: unknown } | undefined)?.code === 'ERR_HTTP2_STREAM_ERROR'
      if (failure && !isReset) return reject(failure)
      if (session.destroyed) return reject(new Error('unexpected EOF'))
      if (failure || !answered || rstCode !== http2.constants.NGHTTP2_NO_ERROR)
        return reject(endedWith(stream.id ?? 0, rstCode ?? 0))
      const { ':status': status, ...rest } = answered
      return resolve(collect.answer(Number(status), rest))
    })
    if (body !== undefined) stream.end(body)
  })
}

/** The error of a stream whose request the server has not processed; undefined: it may have. */
export function unprocessedBy(rstCode: number | undefined, failure: Error | undefined): Unprocessed | undefined {
  const isRefused = rstCode === http2.constants.NGHTTP2_REFUSED_STREAM || isNeverSent(failure)
  return isRefused ? new Unprocessed('the server refused the request before it began with it') : undefined
}

/** Node reports no error for a server that cancels a request or ends its connection. */
function endedWith(id: number, code: number): Error {
  const name = Object.entries(http2.constants).find(([key, value]) => errorNames.test(key) && value === code)?.[0]
  return new Error(`stream error: stream ID ${id}; ${name?.replace('NGHTTP2_', '') ?? code}; received from peer`)
}

const errorNames =
  /^NGHTTP2_(NO_ERROR|\w+_ERROR|CANCEL|REFUSED_STREAM|SETTINGS_TIMEOUT|STREAM_CLOSED|ENHANCE_YOUR_CALM|INADEQUATE_SECURITY|HTTP_1_1_REQUIRED)$/

function isNeverSent(error: Error | undefined): boolean {
  const code = (error as { code?: unknown } | undefined)?.code
  return code === 'ERR_HTTP2_GOAWAY_SESSION' || code === 'ERR_HTTP2_INVALID_SESSION'
}

const empty = Buffer.alloc(0)

/** Collects the chunks of an answer's body; calls `stop` when they are too many. */
type Collector = ReturnType<typeof collector>

function collector({ bodyBytesMax }: ClientExchange, stop: (error: Error) => void) {
  const chunks: Buffer[] = []
  let bytes = 0
  return {
    isFull: () => bytes > bodyBytesMax,
    add(chunk: Buffer): void {
      bytes += chunk.length
      if (bytes > bodyBytesMax) stop(new Error(`the answer has more than ${bodyBytesMax} bytes`))
      else chunks.push(chunk)
    },
    answer: (status: number, headers: EndpointAnswer['headers']): EndpointAnswer => ({
      status,
      headers,
      body: chunks.length === 1 ? (chunks[0] ?? empty) : Buffer.concat(chunks),
    }),
  }
}
