import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import { type Authority, createAuthority } from '../../../lib/pki/index.ts'

/** A request as the kubelet got it. */
export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  /** Values of repeated headers one by one. */
  readonly rawHeaders: readonly string[]
  /** The common name in the client's certificate; '' without one. */
  readonly client: string
}

export interface FakeKubelet {
  readonly port: number
  /** PEM of the authority of its certificate. */
  readonly authority: string
  readonly seen: Seen[]
  /** Connections that are open. */
  readonly connections: ReadonlySet<Socket>
  close(): Promise<void>
}

export interface FakeKubeletOptions {
  /** Signs its certificate; default: one of its own. */
  readonly authority?: Authority
  /** Where it listens; default 127.0.0.1. */
  readonly address?: string
  /** Names in its certificate. */
  readonly names?: readonly string[]
  /** Requests that are answered another way than a kubelet's; true: this one is. */
  readonly instead?: (request: IncomingMessage, response: ServerResponse) => boolean
  readonly routes: readonly KubeletRoute[]
}

/** A part of a kubelet's paths. */
export interface KubeletRoute {
  readonly prefix: string
  readonly handle?: (request: IncomingMessage, response: ServerResponse, url: URL) => void
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer, url: URL) => void
}

/** An HTTPS server with a kubelet's paths. */
export async function startFakeKubelet(options: FakeKubeletOptions): Promise<FakeKubelet> {
  const services = { clock: systemClock, random: systemRandom }
  const authority = options.authority ?? createAuthority(services, { commonName: 'kubelets' })
  const pair = authority.issue({
    commonName: 'system:node:node-1',
    organizations: ['system:nodes'],
    usage: 'server',
    names: options.names ?? ['127.0.0.1'],
  })
  const seen: Seen[] = []
  const connections = new Set<Socket>()
  const server: Server = createServer({
    cert: pair.certificate,
    key: pair.key,
    requestCert: true,
    rejectUnauthorized: false,
  })
  const routeOf = (url: URL): KubeletRoute | undefined =>
    options.routes.find(({ prefix }) => url.pathname === prefix || url.pathname.startsWith(`${prefix}/`))
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
  })
  server.on('request', (request, response) => {
    seen.push(seenOf(request))
    if (options.instead?.(request, response) === true) return
    const url = new URL(request.url ?? '/', 'https://kubelet')
    const handle = routeOf(url)?.handle
    if (handle) handle(request, response, url)
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('404: Page Not Found\n')
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    seen.push(seenOf(request))
    socket.on('error', () => {})
    const url = new URL(request.url ?? '/', 'https://kubelet')
    const upgrade = routeOf(url)?.upgrade
    if (upgrade) upgrade(request, socket, head, url)
    else socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')
  })
  await new Promise<void>((listening) => server.listen(0, options.address ?? '127.0.0.1', listening))
  return {
    port: (server.address() as AddressInfo).port,
    authority: authority.certificate,
    seen,
    connections,
    async close() {
      server.closeAllConnections()
      for (const connection of connections) connection.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function seenOf({ method = '', url = '', headers, rawHeaders, socket }: IncomingMessage): Seen {
  const subject = (socket as TLSSocket).getPeerCertificate().subject
  return { method, url, headers, rawHeaders, client: String(subject?.CN ?? '') }
}
