import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import { createKubeletServer, type KubeletRoute } from '../../../lib/hollownode/kubelet/server.ts'
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
  readonly connections: ReadonlySet<Duplex>
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
  const server = createKubeletServer({
    ...pair,
    clientAuthority: undefined,
    routes: options.routes,
    first(request, response) {
      seen.push(seenOf(request))
      return response !== undefined && options.instead?.(request, response) === true
    },
  })
  const port = await server.listen(options.address ?? '127.0.0.1')
  return {
    port,
    authority: authority.certificate,
    seen,
    connections: server.connections,
    close: () => server.close(),
  }
}

function seenOf({ method = '', url = '', headers, rawHeaders, socket }: IncomingMessage): Seen {
  const subject = (socket as TLSSocket).getPeerCertificate().subject
  return { method, url, headers, rawHeaders, client: String(subject?.CN ?? '') }
}
