import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { EgressSelection, TLSConfig } from '../../api/gen/apiserver.k8s.io/v1beta1.ts'
import type { Clock, Metrics, Random, Tracer } from '../base/index.ts'
import { clientTls } from '../pki/index.ts'
import type { Dialer, DialThroughProxy, Egress } from './contract.ts'
import { dialByConnect, type ProxyServer } from './httpconnect/dial.ts'
import { createTunnelDialer } from './konnectivity/dial.ts'
import { createDialMetrics, createProxyDialer } from './proxydialer.ts'

interface EgressDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly metrics: Metrics
  readonly tracer?: Tracer | undefined
}

/** One way to a proxy, and its names in metrics. */
interface Route {
  readonly protocol: 'http_connect' | 'grpc'
  readonly transport: 'tcp' | 'uds'
  readonly dial: DialThroughProxy
}

/**
 * The networks behind a proxy. The selections have no problems (`selectionProblems`). Reads the files that they name.
 * Rejects with an Error for a file that can't be used, and for gRPC without its library.
 */
export async function createEgress(
  selections: readonly EgressSelection[],
  dependencies: EgressDependencies,
): Promise<Egress> {
  const metrics = createDialMetrics(dependencies.metrics)
  const networks: [string, Dialer][] = []
  for (const { name, connection } of selections) {
    const route = await routeOf(connection, dependencies)
    if (route) networks.push([name.toLowerCase(), createProxyDialer(dependencies, metrics, route)])
  }
  return { selections, ...Object.fromEntries(networks) }
}

async function routeOf(
  { proxyProtocol, transport }: EgressSelection['connection'],
  services: EgressDependencies,
): Promise<Route | undefined> {
  const { tcp, uds: { udsName: socketPath = '' } = {} } = transport ?? {}
  if (proxyProtocol === 'GRPC')
    return { protocol: 'grpc', transport: 'uds', dial: await createTunnelDialer(services, socketPath) }
  if (proxyProtocol !== 'HTTPConnect') return undefined
  const server = tcp ? serverAt(tcp.url ?? '', tcp.tlsConfig) : { name: socketPath, socketPath }
  return {
    protocol: 'http_connect',
    transport: tcp ? 'tcp' : 'uds',
    dial: (target, signal, connected) => dialByConnect(server, target, signal, connected),
  }
}

function serverAt(url: string, tls: TLSConfig | undefined): ProxyServer {
  const { protocol, hostname, port, host: name } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (!tls) return { name, host, port: Number(port || 80) }
  const { caBundle = '', clientCert = '', clientKey = '' } = tls
  return {
    name,
    host,
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
    secureContext: createSecureContext(
      clientTls({
        ca: caBundle === '' ? undefined : textOf(caBundle),
        cert: textOf(clientCert),
        key: textOf(clientKey),
      }),
    ),
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Error(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
