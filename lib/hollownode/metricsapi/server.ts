import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Clock, Closable, Logger } from '../../base/index.ts'
import type { Client } from '../../client/index.ts'
import { StatusError, statusErrors } from '../../object/index.ts'
import type { KeyPair } from '../../pki/index.ts'
import { decodePath, parseRequestInfo } from '../../request/index.ts'
import { createAccess } from './access.ts'
import { answerMetrics, type Sources } from './answers.ts'
import { type ProxyTrust, readProxyTrust } from './proxytrust.ts'

export interface MetricsServer extends Closable {
  readonly port: number
  /** Reads which front proxies are trusted. */
  refresh(): Promise<void>
}

interface Dependencies {
  readonly clock: Clock
  readonly log: Logger
  /** Reads which front proxies are trusted, and reviews access. */
  readonly client: Client
  readonly signal: AbortSignal
}

/** After a refusal, the trusted front proxies are read again, no more often than this. */
const refreshMsMin = 1000

/**
 * Serves the resource metrics API on loopback, as an aggregated server: to users whom an API server of the cluster names
 * in headers, behind its front proxy certificate, and who may read what they ask for.
 */
export async function startMetricsServer(
  dependencies: Dependencies,
  pair: KeyPair,
  address: string,
  sources: Sources,
): Promise<MetricsServer> {
  const { clock, log, signal } = dependencies
  const access = createAccess(dependencies)
  const tls = { cert: pair.certificate, key: pair.key }
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: false })
  const sockets = new Set<Socket>()
  let trust: ProxyTrust | undefined
  let refreshedMs = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<void> {
    refreshedMs = clock.monotonicMs()
    try {
      trust = await readProxyTrust(dependencies, signal)
      server.setSecureContext(trust ? { ...tls, ca: trust.authorities } : tls)
    } catch (error) {
      if (!signal.aborted) log.warn('the trusted front proxies were not read', { error })
    }
  }

  async function answerTo(request: IncomingMessage): Promise<object> {
    const user = trust?.userOf(request)
    if (!user) {
      // The client may be an API server whose authority was published since; it has to connect again.
      if (clock.monotonicMs() - refreshedMs >= refreshMsMin) await refresh()
      throw statusErrors.unauthorized()
    }
    if (request.method !== 'GET') throw new StatusError(405, 'MethodNotAllowed', 'the metrics API can only be read')
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://metrics')
    const info = parseRequestInfo('GET', decodePath(pathname), searchParams)
    await access.check(user, info)
    return answerMetrics(info, searchParams.get('labelSelector') ?? '', sources)
  }

  server.on('request', (request, response) => {
    void answerTo(request).then(
      (body) => send(response, 200, body),
      (error: unknown) => {
        const refusal = error instanceof StatusError ? error : statusErrors.internal('the request was not understood')
        if (refusal.code === 401) response.setHeader('connection', 'close')
        send(response, refusal.code, refusal.toStatus())
      },
    )
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(0, address, listening)
  })
  return {
    port: (server.address() as AddressInfo).port,
    refresh,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      // The HTTP server does not know those whose handshake is not over; each would be kept for seconds.
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
