import type { Agent } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Dialer } from '../egress/index.ts'

/** Options of a connection that an agent opens. */
interface PlaceOptions {
  readonly host?: string | null | undefined
  readonly port?: number | string | null | undefined
}

/** The agent opens its connections through a proxy, on top of which it begins TLS where it uses it. */
export function dialThrough(agent: Agent, dialer: Dialer, isPlain: boolean, signal: AbortSignal): void {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, done) => {
    const { host, port }: PlaceOptions = options
    const opened = (socket: Duplex): void => {
      if (signal.aborted) {
        // The agent has closed: it must not keep the connection.
        socket.on('error', () => {}).destroy()
        return done?.(signal.reason as Error, socket)
      }
      const through = { ...options, socket }
      return done?.(null, (isPlain ? undefined : connect(through)) ?? socket)
    }
    // Node's type requires a socket, which is not read beside an error.
    const failed = (error: Error): void => done?.(error, undefined as never)
    dialer({ host: host ?? '', port: Number(port) }, signal).then(opened, failed)
    return undefined
  }
}
