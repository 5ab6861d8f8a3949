import type { Duplex } from 'node:stream'
import { type Clock, type Metrics, networkErrorText } from '../../base/index.ts'
import { StatusError } from '../../object/index.ts'
import { answerHeaders, createIdleLimit, pump, type RequestHeaders, sendText, throttle } from '../../proxy/index.ts'
import type { Call } from '../../request/index.ts'
import { streamIdleMs, upgradeTimeoutMs } from '../limits.ts'
import { acceptWebSocket } from '../websocket/accept.ts'
import type { WebSocketConnection } from '../websocket/connection.ts'
import type { StreamTarget } from './target.ts'
import { type SpdyUpgrade, type UpgradeRefusal, upgradeToSpdy } from './upgradetospdy.ts'

interface TunnelServices {
  readonly clock: Clock
  readonly metrics: Metrics
  readonly bytesPerSecMax: number
}

/** Prefix of the protocol's name in a WebSocket's subprotocol that carries SPDY. */
const prefix = 'SPDY/3.1+'

/** Carries SPDY between a client that wraps it into a WebSocket and a kubelet that speaks it directly. */
export async function tunnelSpdy(
  call: Call,
  target: StreamTarget,
  offered: readonly string[],
  headers: RequestHeaders,
  { clock, metrics, bytesPerSecMax }: TunnelServices,
): Promise<void> {
  const requests = metrics.counter({
    name: 'apiserver_stream_tunnel_requests_total',
    help: 'WebSockets that carried SPDY to kubelets, by code.',
    labels: ['code'],
    stability: 'ALPHA',
  })
  const answered = (code: number): void => requests.add([String(code)])
  const versions = offered
    .filter((protocol) => protocol.startsWith(prefix) && protocol.endsWith('.k8s.io'))
    .map((protocol) => protocol.slice(prefix.length))
  if (versions.length === 0) {
    answered(400)
    return await sendText(call, 400, 'unable to upgrade: no tunneling spdy protocols provided')
  }
  const upgraded = await upgradeInTime(call, target, plainHeaders(headers), versions, clock)
  if ('body' in upgraded) {
    answered(upgraded.status)
    return await passRefusal(call, upgraded)
  }
  if (upgraded.version === '' || !call.upgrade) {
    answered(500)
    upgraded.socket.destroy()
    return await sendText(call, 500, 'unable to upgrade: missing upgrade headers in response')
  }
  if (call.signal.aborted) return void upgraded.socket.destroy()
  try {
    const webSocket = await acceptWebSocket(call, call.upgrade, prefix + upgraded.version, clock)
    answered(101)
    carry(webSocket, throttle(clock, upgraded.socket, bytesPerSecMax), clock)
  } catch (error) {
    upgraded.socket.destroy()
    throw error
  }
}

async function upgradeInTime(
  call: Call,
  target: StreamTarget,
  headers: RequestHeaders,
  versions: readonly string[],
  clock: Clock,
): Promise<SpdyUpgrade | UpgradeRefusal> {
  const limit = new AbortController()
  const timer = clock.after(upgradeTimeoutMs, () => limit.abort(new Error('context deadline exceeded')))
  try {
    return await upgradeToSpdy(target, headers, versions, AbortSignal.any([call.signal, limit.signal]))
  } catch (error) {
    if (call.signal.aborted) throw error
    throw new StatusError(500, '', `error dialing backend: ${networkErrorText(error)}`, { cause: error })
  } finally {
    void timer.close()
  }
}

/** Without the headers of the WebSocket. */
function plainHeaders(headers: RequestHeaders): RequestHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('sec-websocket-')))
}

async function passRefusal(call: Call, { status, headers, body }: UpgradeRefusal): Promise<void> {
  if (status < 400) {
    body.on('error', () => {}).destroy()
    throw new StatusError(500, '', `invalid upgrade response: status code ${status}`)
  }
  const { 'content-length': _length, ...given } = answerHeaders(headers)
  await pump(body, call.responder.stream(status, given))
}

function carry(webSocket: WebSocketConnection, socket: Duplex, clock: Clock): void {
  const idle = createIdleLimit(clock, streamIdleMs, () => socket.destroy())
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    idle.touch()
    if (!webSocket.send(chunk)) socket.pause()
  })
  webSocket.onDrain = () => void socket.resume()
  socket.on('end', () => webSocket.close())
  socket.on('close', () => {
    void idle.close()
    webSocket.close()
  })
  socket.on('drain', () => webSocket.resume())
  webSocket.onClose = () => {
    if (socket.writableEnded) socket.destroy()
    else socket.end()
  }
  webSocket.listen((data, isBinary) => {
    idle.touch()
    if (!isBinary) return webSocket.close(unsupportedCode, 'invalid message type received')
    if (!socket.destroyed && !socket.writableEnded && !socket.write(data)) webSocket.pause()
  })
}

const unsupportedCode = 1003
