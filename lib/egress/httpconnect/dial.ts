import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SecureContext } from 'node:tls'
import { networkErrorText, nodeHttp } from '../../base/index.ts'
import { addressOf, type DialTarget } from '../contract.ts'

/** A proxy that understands CONNECT (RFC 9110, section 9.3.6). */
export interface ProxyServer {
  /** Its name in errors: `host:port`, or the path of its socket. */
  readonly name: string
  readonly host?: string
  readonly port?: number
  readonly socketPath?: string
  /** Absent: without TLS. */
  readonly secureContext?: SecureContext
}

/** Maximum size of the head of a proxy's answer. */
const headBytesMax = 1024 * 1024

/** Rejects as a Dialer does. */
export function dialByConnect(
  server: ProxyServer,
  target: DialTarget,
  signal: AbortSignal,
  connected: () => void,
): Promise<Duplex> {
  const { name, host, port, socketPath, secureContext } = server
  const address = addressOf(target)
  return new Promise((resolve, reject) => {
    let isConnected = false
    const request = (secureContext ? https : nodeHttp()).request({
      ...(socketPath === undefined ? { host, port } : { socketPath }),
      ...(secureContext ? { secureContext } : {}),
      servername: host !== undefined && isIP(host) === 0 ? host : '',
      // The connection is the caller's.
      agent: false,
      method: 'CONNECT',
      path: address,
      // The stock server's; proxies go by the path.
      headers: { host: '127.0.0.1' },
      setHost: false,
      maxHeaderSize: headBytesMax,
      signal,
    })
    request.once('socket', (socket: Socket) =>
      socket.once(secureContext ? 'secureConnect' : 'connect', () => {
        isConnected = true
        connected()
      }),
    )
    request.on('error', (error) => {
      if (signal.aborted) return reject(signal.reason as Error)
      const text = networkErrorText(error)
      const about = `reading HTTP response from CONNECT to ${address} via proxy ${name} failed: `
      return reject(isConnected ? new Error(about + text, { cause: error }) : error)
    })
    // Only a proxy that does not know CONNECT answers like this.
    request.once('response', (response) => {
      response.destroy()
      reject(new Error(refusal(server, address, response)))
    })
    request.once('connect', (response, socket, head) => {
      const problem =
        response.statusCode !== 200
          ? refusal(server, address, response)
          : head.length > 0
            ? `unexpected ${head.length} bytes of buffered data from CONNECT proxy ${JSON.stringify(name)}`
            : undefined
      if (problem === undefined) return resolve(socket)
      socket.on('error', () => {}).destroy()
      return reject(new Error(problem))
    })
    request.end()
  })
}

function refusal(
  { name }: ProxyServer,
  address: string,
  { statusCode = 0, statusMessage = '' }: IncomingMessage,
): string {
  return `proxy error from ${name} while dialing ${address}, code ${statusCode}: ${statusCode} ${statusMessage}`
}
