import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { SecureVersion } from 'node:tls'
import type { Closable } from '../../lib/base/index.ts'
import type { createPages, PageDependencies } from './pages.ts'

export interface ServeOptions {
  readonly host: string
  readonly port: number
  readonly certificate: string
  readonly key: string
  readonly clientAuthorities: string | undefined
  readonly tlsMinVersion: SecureVersion
  readonly ciphers: string | undefined
  /** Public paths; the last segment may be `*`. */
  readonly open: readonly string[]
}

/** Serves the operational pages of a component over TLS. Resolves when the port is open. */
export async function servePages(
  dependencies: PageDependencies,
  options: ServeOptions,
): Promise<Closable & { readonly port: number }> {
  const server = createServer(
    {
      cert: options.certificate,
      key: options.key,
      minVersion: options.tlsMinVersion,
      ciphers: options.ciphers,
      ...(options.clientAuthorities === undefined
        ? {}
        : { ca: options.clientAuthorities, requestCert: true, rejectUnauthorized: false }),
    },
    createHandler(dependencies, options.open),
  )
  server.headersTimeout = 10_000
  server.requestTimeout = 30_000
  server.maxConnections = 1000
  // Node's own list lacks connections before their handshake: an idle one would delay the end for minutes.
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** The pages and their libraries take 10 MB: they are loaded on the first request. */
function createHandler(
  dependencies: PageDependencies,
  open: readonly string[],
): (request: IncomingMessage, response: ServerResponse) => void {
  let loaded: Promise<ReturnType<typeof createPages>> | undefined
  return (request, response) => {
    loaded ??= import('./pages.ts').then((pages) => pages.createPages(dependencies, open))
    loaded.then(
      (handle) => void handle(request, response),
      (error: unknown) => {
        dependencies.log.error('the pages can not be loaded', { error })
        response.destroy()
      },
    )
  }
}
