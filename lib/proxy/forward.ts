import type { Clock } from '../base/index.ts'
import type { ServiceAddress } from '../client/index.ts'
import { StatusError } from '../object/index.ts'
import type { Call } from '../request/index.ts'
import type { BackendResponse, ForwardTarget } from './backend.ts'
import { answerHeaders, type RequestHeaders } from './headers.ts'
import { answerLocally, localBody } from './localclient.ts'
import { pump } from './pump.ts'
import { sendText } from './sendtext.ts'
import { throttle } from './throttle.ts'
import { tunnel } from './tunnel.ts'
import { answerForClient, handshakeHeaders } from './websocketheaders.ts'

export interface ForwardOptions {
  readonly clock: Clock
  /** Includes the query; absent: the request's own. */
  readonly path?: string
  /** Headers for the server, without those of the connection and of an upgrade. */
  readonly headers: RequestHeaders
  /** Until the answer is complete; absent: no limit. */
  readonly timeoutMs?: number | undefined
  /** An upgraded connection is closed after this time without data; absent: never. */
  readonly idleMs?: number
  /** Bytes a second of an upgraded connection, in each direction; absent or 0: no limit. */
  readonly bytesPerSecMax?: number
  /** Refuses redirects instead of passing them back. */
  readonly rejectsRedirects: boolean
  /** Answers when the server's address is not known, or the server not reached. */
  failed(call: Call, failure: ForwardFailure, error: unknown): void | Promise<void>
  /** Changes the answer for the client; throws a StatusError to refuse it. Absent: unchanged. */
  readonly adapt?: (response: BackendResponse) => BackendResponse
  /** The server's answer has begun. */
  readonly answered?: (status: number) => void
}

export type ForwardFailure = 'endpoint_resolution' | 'transport'

/** Requests with these methods have no body. */
const bodiless = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Forwards the request to the server and streams its answer back: neither is buffered. */
export async function forward(call: Call, backend: ForwardTarget, options: ForwardOptions): Promise<void> {
  // From here on the request waits for the other server, which has its own limits.
  call.begun?.()
  let address: ServiceAddress
  try {
    address = await backend.address()
  } catch (error) {
    return await options.failed(call, 'endpoint_resolution', error)
  }
  const limit = new AbortController()
  const timer =
    options.timeoutMs === undefined
      ? undefined
      : options.clock.after(options.timeoutMs, () => limit.abort(new Error('context deadline exceeded')))
  try {
    await exchange(call, backend, address, options, AbortSignal.any([call.signal, limit.signal]))
  } catch (error) {
    if (call.signal.aborted || error instanceof StatusError) throw error
    if (call.responder.started) return
    await options.failed(call, 'transport', error)
  } finally {
    void timer?.close()
  }
}

async function exchange(
  call: Call,
  backend: ForwardTarget,
  address: ServiceAddress,
  options: ForwardOptions,
  signal: AbortSignal,
): Promise<void> {
  const { upgrade } = call
  const headers = {
    ...options.headers,
    ...(upgrade ? { connection: 'Upgrade', upgrade: upgrade.protocol, ...handshakeHeaders(call) } : {}),
  }
  const local = call.objects ? await localBody(call, headers) : undefined
  const isBodiless = !local && !upgrade && bodiless.has(call.method)
  const { path = call.url } = options
  const asked = { method: call.method, path, headers, isUpgrade: upgrade !== undefined, isBodiless, signal }
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
  if (response.upgraded) return changeProtocol(call, options, response, response.upgraded)
  await passBack(call, options.adapt?.(response) ?? response, options)
}

async function passBack(call: Call, response: BackendResponse, { rejectsRedirects }: ForwardOptions): Promise<void> {
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

type Upgraded = NonNullable<BackendResponse['upgraded']>

/** Copies bytes both ways until either side leaves. */
function changeProtocol(
  call: Call,
  { clock, idleMs, bytesPerSecMax = 0 }: ForwardOptions,
  { headers: given }: BackendResponse,
  upgraded: Upgraded,
): void {
  const { socket, head } = upgraded
  const { upgrade, signal } = call
  if (!upgrade || signal.aborted) return void socket.on('error', () => {}).destroy()
  const headers = answerForClient(call, answerHeaders(given))
  const protocol = given.upgrade
  const client = upgrade.accept({ ...headers, ...(protocol === undefined ? {} : { upgrade: protocol }) })
  if (head.length > 0) socket.unshift(head)
  tunnel(clock, client, throttle(clock, socket, bytesPerSecMax), idleMs)
}
