import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TlsOptions } from 'node:tls'

/** A proxy for CONNECT, with what it has seen. */
export interface ConnectProxy {
  /** Its address, `host:port`; its socket's path where it has one. */
  readonly name: string
  /** Targets of the clients, in order. */
  readonly dialled: string[]
  readonly heads: IncomingMessage['headers'][]
  /** Connections that are open, on both sides. */
  readonly open: ReadonlySet<Duplex>
  close(): Promise<void>
}

export interface ConnectProxyOptions {
  /** Listens here instead of at a port of the loopback. */
  readonly socketPath?: string
  readonly tls?: TlsOptions
  /** Where it finds a target: only the proxy can resolve the names of the cluster. Default: the target itself. */
  readonly find?: (target: string) => { readonly host: string; readonly port: number }
  /** Answers instead of connecting; true: it has. */
  readonly instead?: (target: string, client: Duplex) => boolean
}

export async function startConnectProxy({
  socketPath,
  tls,
  find = placeOf,
  instead,
}: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const dialled: string[] = []
  const heads: IncomingMessage['headers'][] = []
  const open = new Set<Duplex>()
  const keep = (socket: Duplex): void => {
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
  }
  const server = tls ? https.createServer(tls) : http.createServer()
  server.on('connection', keep)
  server.on('connect', (request: IncomingMessage, client: Duplex) => {
    const target = request.url ?? ''
    dialled.push(target)
    heads.push(request.headers)
    keep(client)
    // Otherwise it would not notice that the client leaves.
    if (instead?.(target, client) === true) return void client.resume().once('end', () => client.destroy())
    const backend = connect(find(target))
    keep(backend)
    backend.once('connect', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      client.pipe(backend).pipe(client)
    })
    backend.once('error', () => client.end('HTTP/1.1 503 Service Unavailable\r\n\r\n'))
    client.once('close', () => backend.destroy())
    backend.once('close', () => client.destroy())
  })
  server.listen(socketPath === undefined ? { host: '127.0.0.1', port: 0 } : { path: socketPath })
  await once(server, 'listening')
  return {
    name: socketPath ?? `127.0.0.1:${(server.address() as AddressInfo).port}`,
    dialled,
    heads,
    open,
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

export function placeOf(target: string): { host: string; port: number } {
  const at = target.lastIndexOf(':')
  return { host: target.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(target.slice(at + 1)) }
}
