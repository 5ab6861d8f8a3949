import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import type { Clock } from '../base/index.ts'

export const connectTimeoutMs = 10_000

/** Opens a connection, and learns in its handshake whether the server speaks HTTP/2 (`alpnProtocol` is `h2` then). */
export function openTls(clock: Clock, target: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...target, ALPNProtocols: ['h2', 'http/1.1'] })
    const timer = clock.after(connectTimeoutMs, () => socket.destroy(new Error('net/http: TLS handshake timeout')))
    socket.once('error', (error) => {
      void timer.close()
      reject(error)
    })
    socket.once('secureConnect', () => {
      void timer.close()
      socket.removeAllListeners('error')
      resolve(socket)
    })
  })
}
