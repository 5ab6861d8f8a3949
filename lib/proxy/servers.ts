import type { Clock, Closable } from '../base/index.ts'
import { type Credentials, createEndpointConnections, type ServiceAddress } from '../client/index.ts'
import type { Dialer } from '../egress/index.ts'
import type { BackendRequest, ForwardTarget } from './backend.ts'
import { guardedLookup } from './guardedlookup.ts'
import { beginOverHttp1 } from './http1.ts'
import { limitDialer } from './limitdialer.ts'

/** Connections to any number of servers, by their addresses. */
export interface Servers extends Closable {
  at(address: ServiceAddress): ForwardTarget
  close(): void
}

interface ServersOptions {
  readonly clock: Clock
  readonly scheme: 'http' | 'https'
  /** PEM; undefined: certificates are not verified. */
  readonly authorities?: () => string | undefined
  /** Called for each request, as the certificate may be renewed. */
  readonly credentials?: () => Credentials
  /** Limits the time until a connection is established. */
  readonly connectTimeoutMs: number
  /** Whether an address to which a name resolves is allowed; absent: all are. */
  readonly isAllowed?: (address: string) => boolean
  /** Opens connections through a proxy; absent: they are direct. */
  readonly dialer?: Dialer | undefined
}

/** Maximum number of connections to one server; each followed log and each terminal holds one. */
const socketsMax = 10_000

/** Servers that are spoken to over HTTP/1.1. */
export function createServers({
  clock,
  scheme,
  authorities = () => undefined,
  credentials = () => ({}),
  connectTimeoutMs,
  isAllowed,
  dialer: unlimited,
}: ServersOptions): Servers {
  const isPlain = scheme === 'http'
  const lookup = isAllowed && guardedLookup(isAllowed)
  const dialer = unlimited && limitDialer(unlimited, { clock, timeoutMs: connectTimeoutMs, lookup })
  let known:
    | { readonly ca: string | undefined; readonly connections: ReturnType<typeof createEndpointConnections> }
    | undefined

  function connectionsNow(): ReturnType<typeof createEndpointConnections> {
    const ca = authorities()
    if (known?.ca === ca && known) return known.connections
    known?.connections.retire()
    const endpoint = { url: `${scheme}:`, insecure: ca === undefined, dialer, ...(ca === undefined ? {} : { ca }) }
    known = { ca, connections: createEndpointConnections(endpoint, socketsMax) }
    return known.connections
  }

  function begin(to: ServiceAddress, request: BackendRequest): ReturnType<typeof beginOverHttp1> {
    const { agent, release } = connectionsNow().take(credentials())
    try {
      const exchange = beginOverHttp1(to, request, {
        agent,
        isPlain,
        lookup,
        connecting: { clock, timeoutMs: connectTimeoutMs },
        over: release,
      })
      if (request.isBodiless === true) exchange.body.end()
      return exchange
    } catch (error) {
      release()
      throw error
    }
  }

  return {
    at: (address) => ({
      address: () => Promise.resolve(address),
      begin: (to, request) => Promise.resolve(begin(to, request)),
    }),
    close: () => known?.connections.close(),
  }
}
