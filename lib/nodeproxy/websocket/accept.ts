import { createHash } from 'node:crypto'
import type { Clock } from '../../base/index.ts'
import { statusErrors } from '../../object/index.ts'
import type { Call, Upgrade } from '../../request/index.ts'
import { WebSocketConnection } from './connection.ts'

/** RFC 6455, section 1.3. */
const keySuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** The subprotocols that a client offers, in its order; none when it doesn't request a WebSocket. */
export function offeredProtocols(call: Call): readonly string[] {
  if (!isWebSocket(call)) return []
  return (call.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '')
}

export function isWebSocket({ upgrade }: Call): boolean {
  return upgrade?.protocol.toLowerCase() === 'websocket'
}

/** Accepts the client's WebSocket. Throws 400 when its handshake is not complete. */
export async function acceptWebSocket(
  call: Call,
  upgrade: Upgrade,
  protocol: string,
  clock: Clock,
): Promise<WebSocketConnection> {
  const { Receiver, Sender } = await import('ws')
  const socket = upgrade.accept({
    ...(call.httpVersion === '1.1' ? { 'sec-websocket-accept': acceptOf(call) } : {}),
    ...(protocol === '' ? {} : { 'sec-websocket-protocol': protocol }),
  })
  return new WebSocketConnection(socket, clock, { Receiver, Sender })
}

function acceptOf({ headers }: Call): string {
  const key = headers['sec-websocket-key'] ?? ''
  if (!/^[+/0-9A-Za-z]{22}==$/.test(key) || headers['sec-websocket-version'] !== '13')
    throw statusErrors.badRequest('the WebSocket handshake needs version 13 and a key')
  return createHash('sha1')
    .update(key + keySuffix)
    .digest('base64')
}
