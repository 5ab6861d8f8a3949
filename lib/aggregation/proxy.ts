import type { Readable } from 'node:stream'
import { type Clock, networkErrorText } from '../base/index.ts'
import type { Address } from '../client/index.ts'
import type { Call, ResponseStream } from '../request/index.ts'
import type { Backend, BackendResponse } from './backend.ts'
import { answerHeaders, forwardedHeaders, type RequestHeaders } from './headers.ts'
import { answerLocally, localBody } from './localclient.ts'

export interface ProxyOptions {
  readonly clock: Clock
  /** --aggregator-reject-forwarding-redirect. */
  readonly rejectsRedirects: boolean
  /** Whether a header (in lower case) names users, beside X-Remote-…. */
  isUserHeader(name: string): boolean
  /** Headers beside the client's. */
  readonly headers?: RequestHeaders
  /** Answers in the place of the plain text of the aggregator: where the backend's address is not known, or is not reached. */
  readonly failed?: (call: Call, failure: ProxyFailure, error: unknown) => void | Promise<void>
  /** The backend's answer has begun. */
  readonly answered?: (status: number) => void
}

export type ProxyFailure = 'endpoint_resolution' | 'transport'

const discoveryTimeoutMs = 5_000
const textType = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
/** Nothing is read of these methods' requests. */
const bodiless = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Plain text, as the stock aggregator answers for backends that it can't reach. */
export function sendText(call: Call, status: number, text: string): void | Promise<void> {
  return call.responder.send(status, textType, Buffer.from(`${text}\n`))
}

/**
 * Passes the request on to the backend and its answer back, as both come: neither is held in memory. Answers 503 where
 * the backend can't be reached.
 */
export async function proxyCall(call: Call, backend: Backend, options: ProxyOptions): Promise<void> {
  // The request waits for the other server from here on, which limits itself.
  call.begun?.()
  let address: Address
  try {
    address = await backend.address()
  } catch (error) {
    return await (options.failed ?? answerFailure)(call, 'endpoint_resolution', error)
  }
  const isDiscovery = !call.info.isResource
  const limit = new AbortController()
  const timer = isDiscovery
    ? options.clock.after(discoveryTimeoutMs, () => limit.abort(new Error('context deadline exceeded')))
    : undefined
  try {
    await exchange(call, backend, address, options, AbortSignal.any([call.signal, limit.signal]))
  } catch (error) {
    if (call.signal.aborted) throw error
    if (call.responder.started) return
    await (options.failed ?? answerFailure)(call, 'transport', error)
  } finally {
    void timer?.close()
  }
}

function answerFailure(call: Call, failure: ProxyFailure, error: unknown): void | Promise<void> {
  const isKnown = failure === 'transport'
  return sendText(
    call,
    503,
    isKnown ? `error trying to reach service: ${networkErrorText(error)}` : 'service unavailable',
  )
}

async function exchange(
  call: Call,
  backend: Backend,
  address: Address,
  options: ProxyOptions,
  signal: AbortSignal,
): Promise<void> {
  const { upgrade } = call
  const headers = { ...forwardedHeaders(call, options.isUserHeader), ...options.headers }
  if (upgrade) Object.assign(headers, upgradeHeaders(headers, upgrade.protocol))
  const local = call.objects ? await localBody(call, headers) : undefined
  const isBodiless = !local && !upgrade && bodiless.has(call.method)
  const asked = { method: call.method, path: call.url, headers, isUpgrade: upgrade !== undefined, isBodiless, signal }
  const exchanged = await backend.begin(address, asked)
  if (local) exchanged.body.end(local.body)
  else if (upgrade) exchanged.body.end()
  else if (!isBodiless)
    call
      .bodyStream()
      .on('error', (error) => exchanged.body.destroy(error))
      .pipe(exchanged.body)
  const response = await exchanged.answer
  options.answered?.(response.status)
  if (response.upgraded) return tunnel(call, response, response.upgraded)
  await passBack(call, response, options)
}

async function passBack(call: Call, response: BackendResponse, { rejectsRedirects }: ProxyOptions): Promise<void> {
  const { status, body } = response
  if (rejectsRedirects && status >= 300 && status < 400 && response.headers.location !== undefined) {
    body.resume()
    return await sendText(call, 502, 'the backend attempted to redirect this request, which is not permitted')
  }
  if (call.objects) return await answerLocally(call, response)
  const headers = answerHeaders(response.headers)
  if (call.method === 'HEAD' || status === 204 || status === 304) {
    body.resume()
    return await call.responder.send(status, headers)
  }
  delete headers['content-length']
  await pump(body, call.responder.stream(status, headers))
}

/** As fast as the client takes it; an answer that breaks off breaks off at the client, too. */
function pump(body: Readable, stream: ResponseStream): Promise<void> {
  return new Promise((done) => {
    body.on('data', (chunk: Buffer) => {
      if (stream.write(chunk)) return
      body.pause()
      stream.onDrain(() => body.resume())
    })
    body.on('end', () => {
      stream.end()
      done()
    })
    body.on('error', () => {
      stream.abort()
      done()
    })
    stream.onClose(() => {
      body.destroy()
      done()
    })
  })
}

function upgradeHeaders(headers: RequestHeaders, protocol: string): RequestHeaders {
  return { ...headers, connection: 'Upgrade', upgrade: protocol }
}

type Upgraded = NonNullable<BackendResponse['upgraded']>

/** Bytes both ways until either side leaves. */
function tunnel(call: Call, { headers: given }: BackendResponse, { socket, head }: Upgraded): void {
  const { upgrade } = call
  socket.on('error', () => {})
  if (!upgrade || call.signal.aborted) return void socket.destroy()
  const headers = answerHeaders(given)
  const protocol = given.upgrade
  const client = upgrade.accept({ ...headers, ...(protocol === undefined ? {} : { upgrade: protocol }) })
  client.on('error', () => {})
  if (head.length > 0) client.write(head)
  client.pipe(socket)
  socket.pipe(client)
  const leave = (): void => {
    client.destroy()
    socket.destroy()
  }
  client.on('close', leave)
  socket.on('close', leave)
}
