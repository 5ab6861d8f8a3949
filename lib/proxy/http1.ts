import type { Agent, IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { type Clock, nodeHttp } from '../base/index.ts'
import { hostPort, type ServiceAddress } from '../client/index.ts'
import type { BackendExchange, BackendRequest, BackendResponse } from './backend.ts'

interface Http1Options {
  readonly agent: Agent
  /** Without TLS. */
  readonly isPlain?: boolean
  /** Limits the time until a connection is established; its handshake has as long, or `handshakeMsMin`. */
  readonly connecting?: { readonly clock: Clock; readonly timeoutMs: number }
  /** Resolves names. */
  readonly lookup?: LookupFunction | undefined
  /** The connection is free again, or closed. */
  over(): void
}

/** A handshake is not cut off before this time, as by the stock server's transports: a busy server takes a while. */
const handshakeMsMin = 10_000
/** Maximum size of an answer's head. */
const headBytesMax = 64 * 1024

export function beginOverHttp1(
  to: ServiceAddress,
  { method, path, headers, signal }: BackendRequest,
  { agent, isPlain = false, connecting, lookup, over }: Http1Options,
): BackendExchange {
  const { host, port } = to
  const begin = isPlain ? nodeHttp().request : https.request
  const request = begin({
    agent,
    host,
    port,
    // Otherwise the name in the header Host would be used, which may be this server's own.
    servername: isIP(host) === 0 ? host : '',
    lookup,
    method,
    path,
    headers,
    signal,
    setHost: false,
    maxHeaderSize: headBytesMax,
  })
  request.on('close', over)
  if (connecting) request.once('socket', (socket) => boundConnecting(socket, to, connecting))
  const answer = new Promise<BackendResponse>((done, failed) => {
    const answered = (response: IncomingMessage, upgraded?: BackendResponse['upgraded']): void => {
      const { statusCode: status = 502, headers: given } = response
      done({ status, headers: given, body: response, ...(upgraded ? { upgraded } : {}) })
    }
    request.on('error', failed)
    request.on('response', (response) => answered(response))
    request.on('upgrade', (response, socket, head) => answered(response, { socket, head }))
  })
  // The caller awaits the answer, possibly later.
  answer.catch(() => {})
  return { body: request, answer }
}

function boundConnecting(
  socket: Socket & { readonly secureConnecting?: boolean },
  to: ServiceAddress,
  { clock, timeoutMs }: NonNullable<Http1Options['connecting']>,
): void {
  // A kept connection, or one through a proxy, is connected already.
  const { connecting, secureConnecting = false } = socket
  if (!connecting && !secureConnecting) return
  const fail = (text: string) => () => void socket.destroy(new Error(text))
  const boundHandshake = () => clock.after(Math.max(handshakeMsMin, timeoutMs), fail('net/http: TLS handshake timeout'))
  let timer = connecting ? clock.after(timeoutMs, fail(`dial tcp ${hostPort(to)}: i/o timeout`)) : boundHandshake()
  const end = (): void => void timer.close()
  socket.once('close', end)
  if (!secureConnecting) return void socket.once('connect', end)
  socket.once('secureConnect', end)
  socket.once('connect', () => {
    end()
    timer = boundHandshake()
  })
}
