import { createHash } from 'node:crypto'
import type { Call } from '../request/index.ts'
import type { RequestHeaders } from './headers.ts'

/**
 * Headers that a WebSocket over HTTP/1.1 begins with (RFC 6455, section 4.1), for a client whose WebSocket has none as
 * it came over HTTP/2 (RFC 8441, section 5). The key need not be secret, but differ from others.
 */
export function handshakeHeaders({ httpVersion, upgrade, auditId }: Call): RequestHeaders {
  if (httpVersion === '1.1' || upgrade?.protocol.toLowerCase() !== 'websocket') return {}
  const key = createHash('sha256')
    .update(auditId ?? '')
    .digest()
    .subarray(0, 16)
    .toString('base64')
  return { 'sec-websocket-version': '13', 'sec-websocket-key': key }
}

/** The answer's headers without the one to a key that the client has not sent. */
export function answerForClient({ httpVersion }: Call, headers: RequestHeaders): RequestHeaders {
  if (httpVersion === '1.1') return headers
  const { 'sec-websocket-accept': _accept, ...rest } = headers
  return rest
}
