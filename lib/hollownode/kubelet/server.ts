import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'

/** A part of a kubelet's paths. `port` is the port that was asked, by which a node is known. */
export interface KubeletRoute {
  readonly prefix: string
  readonly handle?: (request: IncomingMessage, response: ServerResponse, url: URL, port: number) => void
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer, url: URL, port: number) => void
}

interface KubeletServerOptions {
  /** PEM. */
  readonly certificate: string
  readonly key: string
  /** PEM of the authority of clients. Absent: clients may be anybody. */
  readonly clientAuthority: string | undefined
  readonly routes: readonly KubeletRoute[]
  /** Sees requests first; true: it has answered. */
  readonly first?: ((request: IncomingMessage, response?: ServerResponse) => boolean) | undefined
}

/** The API of kubelets over HTTPS: one server for all nodes of this process, and a port for each. */
export interface KubeletServer {
  /** Listens at another port. */
  listen(address: string): Promise<number>
  readonly connections: ReadonlySet<Duplex>
  close(): Promise<void>
}

export function createKubeletServer({
  certificate,
  key,
  clientAuthority,
  routes,
  first,
}: KubeletServerOptions): KubeletServer {
  const connections = new Set<Duplex>()
  const listeners: Server[] = []
  const https = createHttpsServer({
    cert: certificate,
    key,
    requestCert: true,
    rejectUnauthorized: clientAuthority !== undefined,
    ...(clientAuthority === undefined ? {} : { ca: clientAuthority }),
  })
  const routeOf = ({ pathname }: URL): KubeletRoute | undefined =>
    routes.find(({ prefix }) => pathname === prefix || pathname.startsWith(`${prefix}/`))
  const portOf = ({ socket }: IncomingMessage): number => (socket as TLSSocket).localPort ?? 0

  https.on('request', (request, response) => {
    if (first?.(request, response) === true) return
    const url = new URL(request.url ?? '/', 'https://kubelet')
    const handle = routeOf(url)?.handle
    if (handle) handle(request, response, url, portOf(request))
    else sendText(response, 404, '404: Page Not Found\n')
  })
  https.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    first?.(request)
    // The end of a connection is no fault of the process.
    socket.on('error', () => {})
    const url = new URL(request.url ?? '/', 'https://kubelet')
    const upgrade = routeOf(url)?.upgrade
    if (upgrade) upgrade(request, socket, head, url, portOf(request))
    else refuseUpgrade(socket, 404, 'Not Found')
  })
  return {
    connections,
    async listen(address) {
      const listener = createServer((socket) => {
        connections.add(socket)
        socket.on('close', () => connections.delete(socket)).on('error', () => {})
        https.emit('connection', socket)
      })
      listeners.push(listener)
      await new Promise<void>((listening, failed) => {
        listener.once('error', failed)
        listener.listen(0, address, listening)
      })
      return (listener.address() as AddressInfo).port
    },
    async close() {
      for (const connection of connections) connection.destroy()
      https.closeAllConnections()
      await Promise.all(listeners.map((each) => new Promise((closed) => each.close(closed))))
    },
  }
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(text)
}

function refuseUpgrade(socket: Duplex, status: number, reason: string, text = ''): void {
  const length = Buffer.byteLength(text)
  socket.end(`HTTP/1.1 ${status} ${reason}\r\ncontent-type: text/plain\r\ncontent-length: ${length}\r\n\r\n${text}`)
}
