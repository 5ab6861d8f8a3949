import { type IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { Readable } from 'node:stream'
import { clientTls } from '../../lib/pki/index.ts'

/** As the global `fetch`; paths are relative to the server. */
export type PlaneFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** Statuses of answers without a body. */
const withoutBody = new Set([204, 205, 304])

/**
 * A fetch for one server, with its authority's certificate and the token: the global one can't trust other authorities.
 * Redirects are not followed; a body without a content type is JSON. Rejects with TypeError as fetch does.
 */
export function createFetch({ url, caCertificate, token }: { url: string; caCertificate: string; token: string }): {
  readonly fetch: PlaneFetch
  close(): void
} {
  const agent = new Agent({ keepAlive: true, ...clientTls({ ca: caCertificate }) })
  return {
    async fetch(input, init = {}) {
      const asked = requestOf(input, init, url)
      if (!asked.headers.has('authorization')) asked.headers.set('authorization', `Bearer ${token}`)
      return await send(asked, agent)
    },
    close: () => agent.destroy(),
  }
}

/** Throws TypeError for another server's address, which must not get the token. */
function requestOf(input: string | URL | Request, init: RequestInit, url: string): Request {
  if (input instanceof Request) return checked(new Request(input, init), url)
  const headers = new Headers(init.headers)
  if (init.body !== undefined && init.body !== null && !headers.has('content-type'))
    headers.set('content-type', 'application/json')
  return checked(new Request(new URL(input, url), { ...init, headers }), url)
}

function checked(asked: Request, url: string): Request {
  if (new URL(asked.url).origin === new URL(url).origin) return asked
  throw new TypeError(`${asked.url} is not below ${url}`)
}

async function send(asked: Request, agent: Agent): Promise<Response> {
  const body = asked.body === null ? undefined : new Uint8Array(await asked.arrayBuffer())
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const { method, signal } = asked
    // Node sends no length for a DELETE's body: the server would read the body as the next request.
    const length = body === undefined ? {} : { 'content-length': String(body.byteLength) }
    const options = { agent, method, signal, headers: { ...Object.fromEntries(asked.headers), ...length } }
    const call = request(asked.url, options, resolve)
    call.once('error', (error) =>
      reject(signal.aborted ? (signal.reason as unknown) : new TypeError('fetch failed', { cause: error })),
    )
    call.end(body)
  })
  const headers = new Headers()
  for (const [name, values] of Object.entries(answer.headersDistinct))
    for (const value of values ?? []) headers.append(name, value)
  const { statusCode: status = 0, statusMessage: statusText = '' } = answer
  if (withoutBody.has(status)) {
    answer.resume()
    return new Response(null, { status, statusText, headers })
  }
  // The two declarations of the same stream are compatible in practice.
  const stream = Readable.toWeb(answer) as ReadableStream<Uint8Array>
  return new Response(stream, { status, statusText, headers })
}
